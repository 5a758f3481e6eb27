import { FrozenCache } from '../utils/frozen-cache.js';
import type { DataCall } from './plan.js';

/**
 * Whether a read is always fast: one row by its key, with the rows that it refers to. Reads that filter, sort or count may take long, also in
 * the lists of one row.
 */
export function isQuick({ operation, args }: DataCall): boolean {
  return operation.startsWith('findUnique') && isPlain(args['select']) && isPlain(args['include']);
}

const COSTLY: ReadonlySet<string> = new Set(['where', 'orderBy', 'take', 'skip', 'cursor', 'distinct', '_count']);

function isPlain(selection: unknown): boolean {
  if (typeof selection !== 'object' || selection === null) return true;
  return KNOWN.of(selection, () =>
    Object.entries(selection).every(([key, value]: readonly [string, unknown]) => !COSTLY.has(key) && isPlain(value)),
  );
}

/** Of the selections that many requests share. */
const KNOWN = new FrozenCache<boolean>();
