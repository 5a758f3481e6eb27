import { type PendingRow, PendingValue } from '../query/pending-value.js';
import { mapValues } from '../query/map-values.js';
import type { Row } from '../query/result.js';
import type { DataCall, Expectation } from './plan.js';

/** Rows that earlier writes of a transaction have returned. */
export type ReturnedRows = ReadonlyMap<PendingRow, Row>;

/** Replaces placeholders in a call by values of rows that earlier calls have returned. */
export function withReturnedRows(call: DataCall, rows: ReturnedRows): DataCall {
  return call.awaitsRows === true ? withValues(call, rows) : call;
}

function withValues({ before, ...call }: DataCall, rows: ReturnedRows): DataCall {
  const { query, expect, foreignKeys } = call;
  const valueOf = (value: unknown): unknown => (value instanceof PendingValue ? returnedValue(value, rows) : value);
  const keyOf = <Keyed extends { readonly key: Row }>(keyed: Keyed): Keyed => ({ ...keyed, key: mapMembers(keyed.key, valueOf) });
  return {
    ...call,
    ...(before && { before: before.map((first) => withValues(first, rows)) }),
    query: mapValues(query, valueOf),
    ...(expect && { expect: withKeys(expect, keyOf) }),
    ...(foreignKeys && { foreignKeys: foreignKeys.map(keyOf) }),
  };
}

function returnedValue({ row, field }: PendingValue, rows: ReturnedRows): unknown {
  const returned = rows.get(row);
  if (!returned) throw new TypeError('A call uses a row that no call before it returns.');
  return returned[field];
}

function withKeys(expect: Expectation, keyOf: <Keyed extends { readonly key: Row }>(keyed: Keyed) => Keyed): Expectation {
  return expect.kind === 'all-found' ? { ...expect, wanted: expect.wanted.map(keyOf) } : expect;
}

function mapMembers(row: Row, map: (value: unknown) => unknown): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, map(value)]));
}
