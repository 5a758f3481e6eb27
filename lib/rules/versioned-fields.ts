import type { StoredModel } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { fieldNamed } from '../query/fields.js';
import type { WrittenField, WrittenRecord } from '../query/write.js';
import type { RuleSet } from './rule-set.js';

/**
 * Adds the version increment to the fields of an update. If the fields already set the version, as code of the application may, they are unchanged.
 *
 * @param model of any client of the application; the version is looked up in `rules`
 */
export function versionedFields(
  { storage }: Pick<RuleSet, 'storage'>,
  model: StoredModel,
  fields: readonly WrittenField[],
): readonly WrittenField[] {
  const { version } = storedModel(storage, model.model);
  if (!version || fields.some(({ field }) => field.name === version.name)) return fields;
  const value = version.type === 'BigInt' ? 1n : 1;
  return [...fields, { field: fieldNamed(model, version.name), operation: 'increment', value, isSettled: true }];
}

/** Adds the version increment to a record that writes any field. */
export function versionedRecord(rules: Pick<RuleSet, 'storage'>, record: WrittenRecord): WrittenRecord {
  return record.fields.length === 0 ? record : { ...record, fields: versionedFields(rules, record.model, record.fields) };
}
