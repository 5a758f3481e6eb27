import { ApiError } from '../errors/api-error.js';
import type { StoredForeignKey, StoredModel, StoredRelation } from '../model/storage/storage.js';
import { type Condition, NEVER } from '../query/condition.js';
import { fieldNamed, hasValues } from '../query/fields.js';
import type { Row } from '../query/result.js';
import type { WrittenField } from '../query/write.js';

/** Returns the opposite relation, for links in a join table. */
export function oppositeRelation({ model }: StoredModel, { name, opposite = '' }: StoredRelation, target: StoredModel): StoredRelation {
  const back = target.relations.get(opposite);
  if (!back) throw new TypeError(`The relation '${model}.${name}' has no opposite relation.`);
  return back;
}

/** Returns the foreign key values that reference a row. Returns undefined if a referenced column is null, because nothing references such a row. */
function linkValues({ fields, references }: StoredForeignKey, row: Row): Row | undefined {
  const values = references.map((name) => row[name]);
  if (values.some((value) => value === null || value === undefined)) return undefined;
  return Object.fromEntries(fields.map((field, index) => [field, values[index]]));
}

/** Compiles the condition that a row of the model references this row. */
export function haveKeyOf(model: StoredModel, key: StoredForeignKey, row: Row): Condition {
  const values = linkValues(key, row);
  return values ? hasValues(model, values) : NEVER;
}

/** A row that other rows will reference. */
export interface ReferencedRow {
  readonly model: StoredModel;
  readonly row: Row;
}

/**
 * Returns the foreign key values that make a row of the model reference this row.
 *
 * @throws ApiError for a row whose referenced columns are null: to write null would cut the existing link, and create none
 */
export function linkColumns(model: StoredModel, key: StoredForeignKey, { model: referred, row }: ReferencedRow): readonly WrittenField[] {
  const values = linkValues(key, row);
  if (values) return setFields(model, values);
  throw new ApiError('invalid-relation-data', `Nothing can be linked to a ${referred.model} without a value for what is linked by.`);
}

/** Returns the foreign key values that make a row of the model reference no row. There are none if all fields of the key are required. */
export function clearedColumns(model: StoredModel, { fields }: StoredForeignKey): readonly WrittenField[] {
  return setFields(model, Object.fromEntries(fields.filter((name) => model.fields.get(name)?.optional).map((name) => [name, null])));
}

function setFields(model: StoredModel, values: Row): readonly WrittenField[] {
  return Object.entries(values).map(([name, value]) => ({ field: fieldNamed(model, name), operation: 'set', value, isSettled: true }));
}
