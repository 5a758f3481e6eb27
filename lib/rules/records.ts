import { ApiError } from '../errors/api-error.js';
import { storedText } from '../executor/missing-records.js';
import type { StoredModel } from '../model/storage/storage.js';
import { rowKey } from '../query/key.js';
import type { WrittenField, WrittenRecord } from '../query/write.js';

/** Returns the fields that the caller sets in any of the records. */
export function collectFields(records: readonly WrittenRecord[]): readonly WrittenField[] {
  return records.flatMap(({ fields }) => fields);
}

/** Creates the record of an update that sets these fields. */
export function recordOf(model: StoredModel, fields: readonly WrittenField[]): WrittenRecord {
  return { kind: 'record', model, action: 'update', fields, relations: [], at: [] };
}

/** Returns the name of a key field that a record writes; undefined if there is none. */
export function changedKey({ model, fields }: WrittenRecord): string | undefined {
  return rowKey(model).fields.find((name) => fields.some(({ field }) => field.name === name));
}

/**
 * Rejects a bulk update that changes a key, because its rows are looked up by the key afterwards.
 *
 * @throws ApiError
 */
export function rejectKeyChange(record: WrittenRecord): void {
  const name = changedKey(record);
  if (name === undefined) return;
  throw new ApiError(
    'invalid-payload',
    `'${name}' of ${record.model.model} cannot be changed by a write of many records: change it one by one.`,
  );
}

/** Returns a record with column values that do not come from the caller. They replace fields of the same names. */
export function withColumns(record: WrittenRecord, columns: readonly WrittenField[]): WrittenRecord {
  if (columns.length === 0) return record;
  const names = new Set(columns.map(({ field }) => field.name));
  return { ...record, fields: [...record.fields.filter(({ field }) => !names.has(field.name)), ...columns] };
}

/**
 * Rejects links whose columns would replace other values of the fields of their record, which a composite foreign key may share with other keys.
 *
 * @throws ApiError
 */
export function rejectReplacedValues(fields: readonly WrittenField[], columns: readonly WrittenField[]): void {
  for (const { field, value } of columns) {
    const isReplaced = fields.some(
      (given) => given.field.name === field.name && storedText(field, given.value) !== storedText(field, value),
    );
    if (!isReplaced) continue;
    throw new ApiError(
      'invalid-relation-data',
      `What a relation refers to does not fit another value of the same record: they share '${field.name}'.`,
    );
  }
}
