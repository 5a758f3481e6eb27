import { ApiError } from '../errors/api-error.js';
import type { StoredModel } from '../model/storage/storage.js';
import { rowKey } from '../query/key.js';
import type { WrittenField, WrittenRecord } from '../query/write.js';

/** What a caller gives of any of the records. */
export function collectFields(records: readonly WrittenRecord[]): readonly WrittenField[] {
  return records.flatMap(({ fields }) => fields);
}

/** What is written into a row of a model. */
export function recordOf(model: StoredModel, fields: readonly WrittenField[]): WrittenRecord {
  return { kind: 'record', model, action: 'update', fields, relations: [], at: [] };
}

/** A field of its model's key that a record writes. */
export function changedKey({ model, fields }: WrittenRecord): string | undefined {
  return rowKey(model).fields.find((name) => fields.some(({ field }) => field.name === name));
}

/** What is looked at by its key afterwards must keep it. @throws ApiError */
export function requireKept(record: WrittenRecord): void {
  const name = changedKey(record);
  if (name === undefined) return;
  throw new ApiError(
    'invalid-payload',
    `'${name}' of ${record.model.model} cannot be changed by a write of many records: change it one by one.`,
  );
}

/** A record with values of columns that are not the caller's. */
export function withColumns(record: WrittenRecord, columns: readonly WrittenField[]): WrittenRecord {
  if (columns.length === 0) return record;
  const names = new Set(columns.map(({ field }) => field.name));
  return { ...record, fields: [...record.fields.filter(({ field }) => !names.has(field.name)), ...columns] };
}
