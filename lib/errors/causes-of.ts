import { memberOf } from './member-of.js';

/** Returns an error and its causes, at most five, because an error may be its own cause. */
export function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let thrown = error; thrown !== undefined && causes.length < MAX_CAUSES; thrown = memberOf(thrown, 'cause')) causes.push(thrown);
  return causes;
}

const MAX_CAUSES = 5;
