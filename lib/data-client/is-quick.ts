import type { DataCall } from './plan.js';

/**
 * Whether a read is over in no time whatever a client has asked: one row by its key, with the rows that it refers to. What is filtered, put
 * in order or counted, in the row's own lists too, may take long.
 */
export function isQuick({ operation, args }: DataCall): boolean {
  return operation.startsWith('findUnique') && isPlain(args['select']) && isPlain(args['include']);
}

const COSTLY: ReadonlySet<string> = new Set(['where', 'orderBy', 'take', 'skip', 'cursor', 'distinct', '_count']);

function isPlain(selection: unknown): boolean {
  if (typeof selection !== 'object' || selection === null) return true;
  return Object.entries(selection).every(([key, value]: readonly [string, unknown]) => !COSTLY.has(key) && isPlain(value));
}
