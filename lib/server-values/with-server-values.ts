import type { DataCall, Plan } from '../data-client/plan.js';
import type { Storage } from '../model/storage/storage.js';
import { mapRecords, recordsOf } from '../query/map-records.js';
import type { WrittenField, WrittenRecord } from '../query/write.js';
import type { ServerValues } from './compile-server-values.js';
import { makeServerValue } from './make-server-value.js';
import { placeValues } from './place-values.js';

/** What the server sets, and for whom. */
export interface ServerValuesOf {
  readonly values: ServerValues;
  readonly storage: Storage;
  /** The platform's request. */
  readonly request: unknown;
}

/**
 * Sets the server's values in every record that a plan writes, in both branches of upserts and in nested records too.
 *
 * @throws what {@link makeServerValue} throws
 */
export async function withServerValues<P extends Plan>(plan: P, setting: ServerValuesOf): Promise<P>;
export async function withServerValues(plan: Plan, setting: ServerValuesOf): Promise<Plan> {
  switch (plan.kind) {
    case 'collection':
      return plan;
    case 'call':
      return { ...plan, call: await fillCall(plan.call, setting) };
    case 'transaction': {
      const calls: DataCall[] = [];
      for (const call of plan.calls) calls.push(await fillCall(call, setting));
      return { ...plan, calls };
    }
  }
}

async function fillCall(call: DataCall, setting: ServerValuesOf): Promise<DataCall> {
  const { query } = call;
  const records = recordsOf(query);
  if (!records.some(({ record }) => setting.values.has(record.model.model))) return call;
  const filled: WrittenRecord[] = [];
  for (const { record } of records) filled.push(await fillRecord(record, setting));
  let next = 0;
  // Records are walked in one order, and what is added has none inside.
  return { ...call, query: mapRecords(query, ({ record }) => filled[next++] ?? record) };
}

async function fillRecord(record: WrittenRecord, { values, storage, request }: ServerValuesOf): Promise<WrittenRecord> {
  const own = (values.get(record.model.model) ?? []).filter(({ action }) => action === record.action);
  const fields: WrittenField[] = [];
  for (const value of own) {
    fields.push({ field: value.field, operation: 'set', value: await makeServerValue(value, request), isSettled: true });
  }
  return fields.length > 0 ? placeValues(record, fields, storage) : record;
}
