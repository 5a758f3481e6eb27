import { setImmediate } from 'node:timers';
import { isPlainObject } from '../wire/is-plain-object.js';

/** Number of rows and other objects from which on work on them takes milliseconds. */
const MANY = 2000;

/** Yields to the event loop after large results, so that other requests run between two pieces of work on them. */
export async function tickAfter(results: unknown): Promise<void> {
  if (areMany(results)) await endOfTick();
}

/** Runs work on results. Yields to the event loop before and after the work if the results are large. */
export async function yieldToEventLoop<Results, Made>(results: Results, work: (results: Results) => Made): Promise<Made> {
  if (!areMany(results)) return work(results);
  await endOfTick();
  const made = work(results);
  await endOfTick();
  return made;
}

/** Resolves at the end of this tick, even if a test of the application fakes its timers. */
export function endOfTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function areMany(results: unknown): boolean {
  return typeof results === 'object' && results !== null && countObjects(results, MANY) >= MANY;
}

/** Counts the objects in a value, up to `most`. Instances of classes count, but their members do not. */
function countObjects(value: object, most: number): number {
  let count = 0;
  const visit = (member: unknown): void => {
    if (typeof member === 'object' && member !== null) count += 1 + countObjects(member, most - count - 1);
  };
  if (Array.isArray(value)) for (let index = 0; index < value.length && count < most; index++) visit(value[index]);
  else if (isPlainObject(value))
    for (const name in value) {
      if (count >= most) break;
      visit(value[name]);
    }
  return count;
}
