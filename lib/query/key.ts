import type { StoredForeignKey, StoredKey, StoredModel } from '../model/storage/storage.js';
import { ALWAYS, type KeyCondition, type UniqueCondition } from './condition.js';

/** A key by its name and the names of its fields. */
interface NamedKey {
  readonly name: string;
  readonly fields: readonly { readonly name: string }[];
}

/** Returns the condition that the fields of a key have values, by Prisma's names of the fields. */
export function keyCondition(model: StoredModel, key: NamedKey, values: Readonly<Record<string, unknown>>): KeyCondition {
  return buildKeyCondition(model, storedKey(model, key), values);
}

/** Returns {@link keyCondition} as a {@link UniqueCondition}. */
export function uniqueCondition(model: StoredModel, key: NamedKey, values: Readonly<Record<string, unknown>>): UniqueCondition {
  return Object.freeze<UniqueCondition>({ keys: [keyCondition(model, key, values)], more: ALWAYS });
}

/** Returns the key that identifies the rows of a model: the primary key, or the first unique key without optional fields. */
export function rowKey(stored: StoredModel): StoredKey {
  const key = keyInEach(stored);
  if (!key) throw new Error(`The rows of '${stored.model}' have no key.`);
  return key;
}

/** Whether a model has a {@link rowKey}. */
export function hasRowKey(stored: StoredModel): boolean {
  return keyInEach(stored) !== undefined;
}

function keyInEach({ primaryKey, uniqueKeys, fields }: StoredModel): StoredKey | undefined {
  return primaryKey ?? uniqueKeys.find((one) => one.fields.every((name) => fields.get(name)?.optional === false));
}

/**
 * Returns the row that a foreign key references; undefined if one of its values is null.
 *
 * @param values of all fields of the foreign key
 */
export function referredRow(
  target: StoredModel,
  { fields, references }: StoredForeignKey,
  values: ReadonlyMap<string, unknown>,
): UniqueCondition | undefined {
  const row = Object.fromEntries(fields.map((name, index) => [references[index] ?? '', values.get(name)]));
  if (Object.values(row).includes(null)) return undefined;
  const keys = [target.primaryKey, ...target.uniqueKeys];
  const name = keys.find((key) => key?.fields.length === fields.length && key.fields.every((field) => references.includes(field)))?.name;
  return uniqueCondition(target, { name: name ?? references.join('_'), fields: references.map((one) => ({ name: one })) }, row);
}

/** Returns the condition that identifies a row by its {@link rowKey}. */
export function sameRow(model: StoredModel, row: Readonly<Record<string, unknown>>): UniqueCondition {
  const key = rowKey(model);
  return Object.freeze<UniqueCondition>({ keys: [buildKeyCondition(model, key, row)], more: ALWAYS });
}

function buildKeyCondition(model: StoredModel, key: StoredKey, values: Readonly<Record<string, unknown>>): KeyCondition {
  return Object.freeze({ kind: 'key', model, key, values: Object.freeze(key.fields.map((name) => values[name])) });
}

function storedKey({ model, primaryKey, uniqueKeys }: StoredModel, { name, fields }: NamedKey): StoredKey {
  const isNamed = (key: StoredKey): boolean =>
    key.fields.length === fields.length &&
    fields.every((field) => key.fields.includes(field.name)) &&
    (fields.length === 1 || key.name === name);
  const stored = (primaryKey && isNamed(primaryKey) ? primaryKey : undefined) ?? uniqueKeys.find(isNamed);
  if (!stored) throw new Error(`The storage has no key '${model}.${name}': both views are built from one schema.`);
  return stored;
}
