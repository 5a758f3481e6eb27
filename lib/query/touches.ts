import { type Access, accessesOf } from './accesses.js';
import type { Query } from './query.js';

/** Merges the accesses of queries: each action on each model once, with all of its fields. */
export function touchesOf(queries: readonly Query[]): readonly Access[] {
  const touches = new Map<string, Access>();
  for (const { model, action, fields } of queries.flatMap(accessesOf)) {
    const name = `${model} ${action}`;
    const known = touches.get(name)?.fields ?? [];
    touches.set(name, { model, action, fields: [...new Set([...known, ...fields])] });
  }
  return [...touches.values()];
}
