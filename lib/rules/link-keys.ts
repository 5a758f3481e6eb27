import { ApiError } from '../errors/api-error.js';
import type { StoredForeignKey, StoredModel, StoredRelation } from '../model/storage/storage.js';
import { type Condition, NEVER } from '../query/condition.js';
import { fieldNamed, hasValues } from '../query/fields.js';
import type { Row } from '../query/result.js';
import type { WrittenField } from '../query/write.js';

/** Where it is said which rows a relation leads to: in columns of the row that has it, in columns of the rows it leads to, or in a table between. */
export type KeyPlace =
  | { readonly kind: 'own'; readonly key: StoredForeignKey }
  | { readonly kind: 'target'; readonly key: StoredForeignKey }
  | { readonly kind: 'join-table' };

export function keyPlaceOf({ name, foreignKey, referredBy, joinTable }: StoredRelation): KeyPlace {
  if (foreignKey) return { kind: 'own', key: foreignKey };
  if (joinTable) return { kind: 'join-table' };
  if (referredBy) return { kind: 'target', key: referredBy };
  throw new TypeError(`Nobody knows where the pairs of '${name}' are.`);
}

/** The relation of the other side, for pairs in a table between. */
export function wayBack({ model }: StoredModel, { name, opposite = '' }: StoredRelation, target: StoredModel): StoredRelation {
  const back = target.relations.get(opposite);
  if (!back) throw new TypeError(`The relation '${model}.${name}' has no way back.`);
  return back;
}

/** The values by which rows refer to a row; undefined where a part of its key is null, as that of any number of rows may be: then none does. */
function linkValues({ fields, references }: StoredForeignKey, row: Row): Row | undefined {
  const values = references.map((name) => row[name]);
  if (values.some((value) => value === null || value === undefined)) return undefined;
  return Object.fromEntries(fields.map((field, index) => [field, values[index]]));
}

/** The rows of a model that have the key of a row. */
export function haveKeyOf(model: StoredModel, key: StoredForeignKey, row: Row): Condition {
  const values = linkValues(key, row);
  return values ? hasValues(model, values) : NEVER;
}

/** A row that others are to refer to. */
export interface ReferredRow {
  readonly model: StoredModel;
  readonly row: Row;
}

/**
 * What makes a row of a model refer to a row.
 *
 * @throws ApiError for a row that nothing can refer to: to write its null would cut the link that there is, and make none
 */
export function linkColumns(model: StoredModel, key: StoredForeignKey, { model: referred, row }: ReferredRow): readonly WrittenField[] {
  const values = linkValues(key, row);
  if (values) return setFields(model, values);
  throw new ApiError('invalid-relation-data', `Nothing can be linked to a ${referred.model} without a value for what is linked by.`);
}

/** What makes a row of a model refer to no row: none where all of the key's fields are required. */
export function clearedColumns(model: StoredModel, { fields }: StoredForeignKey): readonly WrittenField[] {
  return setFields(model, Object.fromEntries(fields.filter((name) => model.fields.get(name)?.optional).map((name) => [name, null])));
}

function setFields(model: StoredModel, values: Row): readonly WrittenField[] {
  return Object.entries(values).map(([name, value]) => ({ field: fieldNamed(model, name), operation: 'set', value, isSettled: true }));
}
