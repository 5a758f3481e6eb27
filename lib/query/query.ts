import type { FindMany, Read, RowsRead } from './read.js';
import type { Selection } from './selection.js';
import type { Write } from './write.js';

/** One read or one write of the data layer, as a frozen tree. */
export type Query = Read | Write;

/** Whether a query is a write. */
export function isWrite(query: Query): query is Write {
  return WRITES[query.kind];
}

/** Returns what a query selects of each row; undefined for a query that returns no rows. */
export function selectionIn(query: Query): Selection | undefined {
  return 'selection' in query ? query.selection : undefined;
}

const WRITES: Readonly<Record<Query['kind'], boolean>> = {
  'find-unique': false,
  'find': false,
  'count': false,
  'aggregate': false,
  'group-by': false,
  'create': true,
  'create-many': true,
  'update': true,
  'update-many': true,
  'upsert': true,
  'delete': true,
  'delete-many': true,
};

export function isRowsRead(query: Query): query is RowsRead {
  return query.kind === 'find' || query.kind === 'find-unique';
}

export function isFindMany(query: Query): query is FindMany {
  return query.kind === 'find' && query.rows === 'many';
}
