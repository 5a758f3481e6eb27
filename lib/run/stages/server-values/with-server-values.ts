import type { DataCall, Plan } from '../../../executor/plan.js';
import type { Storage } from '../../../model/storage/storage.js';
import { linkForeignKeys } from '../../../query/link-foreign-keys.js';
import { mapRecords, recordsOf } from '../../../query/map-records.js';
import type { WrittenField, WrittenRecord } from '../../../query/write.js';
import type { ServerValues } from './compile-server-values.js';
import { makeServerValue } from './make-server-value.js';

/**
 * Sets the server's values in every record that a plan writes: in both branches of upserts, and in nested records.
 *
 * @param request the request object of the platform
 * @throws what {@link makeServerValue} throws
 */
export async function withServerValues<P extends Plan>(plan: P, values: ServerValues, storage: Storage, request: unknown): Promise<P>;
export async function withServerValues(plan: Plan, values: ServerValues, storage: Storage, request: unknown): Promise<Plan> {
  const fill = (call: DataCall): Promise<DataCall> => fillCall(call, values, (record) => fillRecord(record, values, storage, request));
  switch (plan.kind) {
    case 'collection':
      return plan;
    case 'call':
      return { ...plan, call: await fill(plan.call) };
    case 'transaction': {
      const calls: DataCall[] = [];
      for (const call of plan.calls) calls.push(await fill(call));
      return { ...plan, calls };
    }
  }
}

type Fill = (record: WrittenRecord) => Promise<WrittenRecord>;

async function fillCall(call: DataCall, values: ServerValues, fill: Fill): Promise<DataCall> {
  const { query } = call;
  const records = recordsOf(query);
  if (!records.some(({ record }) => values.has(record.model.model))) return call;
  const filled: WrittenRecord[] = [];
  for (const { record } of records) filled.push(await fill(record));
  let next = 0;
  // `mapRecords` visits records in the same order, and the added relations contain no records.
  return { ...call, query: mapRecords(query, ({ record }) => filled[next++] ?? record) };
}

async function fillRecord(record: WrittenRecord, values: ServerValues, storage: Storage, request: unknown): Promise<WrittenRecord> {
  const own = (values.get(record.model.model) ?? []).filter(({ action }) => action === record.action);
  const fields: WrittenField[] = [];
  for (const value of own) {
    fields.push({ field: value.field, operation: 'set', value: await makeServerValue(value, request), isSettled: true });
  }
  return fields.length > 0 ? placeValues(record, fields, storage) : record;
}

/**
 * Returns a record in which the server's values replace all other values of their fields. Beside links that the row itself stores, they are links,
 * too, if they are whole foreign keys.
 */
export function placeValues(record: WrittenRecord, set: readonly WrittenField[], storage: Storage): WrittenRecord {
  const names = new Set(set.map(({ field }) => field.name));
  const fields = [...record.fields.filter(({ field }) => !names.has(field.name)), ...set];
  return linkForeignKeys(Object.freeze({ ...record, fields: Object.freeze(fields) }), storage);
}
