import { type PendingRow, PendingValue } from '../query/pending-value.js';
import { mapValues } from '../query/map-values.js';
import type { Row } from '../query/result.js';
import type { DataCall, Expectation } from './plan.js';

/** Rows that earlier writes of a transaction have returned. */
export type KnownRows = ReadonlyMap<PendingRow, Row>;

/** Replaces placeholders in a call by values of rows that earlier calls have returned. */
export function withReturnedRows(call: DataCall, rows: KnownRows): DataCall {
  return call.awaitsRows === true ? withValues(call, rows) : call;
}

function withValues({ before, ...call }: DataCall, rows: KnownRows): DataCall {
  const { query, expect, foreignKeys } = call;
  const valueOf = (value: unknown): unknown => (value instanceof PendingValue ? knownValue(value, rows) : value);
  const keyOf = <Keyed extends { readonly key: Row }>(keyed: Keyed): Keyed => ({ ...keyed, key: mapMembers(keyed.key, valueOf) });
  return {
    ...call,
    ...(before && { before: before.map((first) => withValues(first, rows)) }),
    query: mapValues(query, valueOf),
    ...(expect && { expect: withKeys(expect, keyOf) }),
    ...(foreignKeys && { foreignKeys: foreignKeys.map(keyOf) }),
  };
}

function knownValue({ row, field }: PendingValue, rows: KnownRows): unknown {
  const known = rows.get(row);
  if (!known) throw new TypeError('A call uses a row that no call before it returns.');
  return known[field];
}

function withKeys(expect: Expectation, keyOf: <Keyed extends { readonly key: Row }>(keyed: Keyed) => Keyed): Expectation {
  return expect.kind === 'all-found' ? { ...expect, wanted: expect.wanted.map(keyOf) } : expect;
}

function mapMembers(row: Row, map: (value: unknown) => unknown): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, map(value)]));
}
