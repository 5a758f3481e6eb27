import type { StoredField, StoredModel } from '../model/storage/storage.js';
import { and, compare, type Condition, equals, or } from './condition.js';
import type { FieldMember, Member, Selection } from './selection.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';

type Values = Readonly<Record<string, unknown>>;

/** Returns the field of a model by its name. */
export function fieldNamed({ model, fields }: StoredModel, name: string): StoredField {
  const field = fields.get(name);
  if (!field) throw new Error(`The storage has no field '${model}.${name}': both views are built from one schema.`);
  return field;
}

/** Returns a frozen selection of members. */
export function selectionOf(model: StoredModel, members: readonly Member[]): Selection {
  return Object.freeze({ kind: 'selection', model, members: Object.freeze(members) });
}

/** Returns fields as members of a selection. */
export function fieldMembers(model: StoredModel, names: readonly string[]): readonly FieldMember[] {
  return names.map((name) => Object.freeze({ kind: 'field', field: fieldNamed(model, name) }));
}

/** Returns a selection of fields by their names. That of one field is cached, because many requests look up a key of one field. */
export function selectFields(model: StoredModel, names: readonly string[]): Selection {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return selectionOf(model, fieldMembers(model, names));
  const known = selectionsOf(model);
  let selection = known.get(name);
  if (!selection) known.set(name, (selection = selectionOf(model, fieldMembers(model, names))));
  return selection;
}

const selectionsOf = memoizeByObject((_: StoredModel) => new Map<string, Selection>());

/** Returns the names of the fields of a selection. */
export function fieldsIn({ members }: Selection): readonly string[] {
  return members.flatMap((member) => (member.kind === 'field' ? [member.field.name] : []));
}

/** Whether all members of a selection are fields. */
export function areFields({ members }: Selection): boolean {
  return members.every(({ kind }) => kind === 'field');
}

/** Adds fields to a selection; returns the same object if it has all of them. */
export function withFields(selection: Selection, names: readonly string[]): Selection {
  const { model, members } = selection;
  const selected = new Set(fieldsIn(selection));
  const missing = [...new Set(names)].filter((name) => !selected.has(name));
  return missing.length === 0 ? selection : selectionOf(model, [...members, ...fieldMembers(model, missing)]);
}

/** Returns the condition that the fields of a row equal values, by the names of the fields. */
export function hasValues(model: StoredModel, values: Values): Condition {
  return and(...Object.entries(values).map(([name, value]) => equals(fieldNamed(model, name), value)));
}

/**
 * Returns the condition that a row has the values of one of `rows` in all named fields. A Boolean is compared with `or`, because Prisma has no `in`
 * for it.
 */
export function isAmong(model: StoredModel, names: readonly string[], rows: readonly Values[]): Condition {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return or(...rows.map((row) => hasValues(model, row)));
  const field = fieldNamed(model, name);
  const values = [...new Set(rows.map((row) => row[name]))];
  return field.type === 'Boolean' ? or(...values.map((value) => equals(field, value))) : compare(field, 'in', values);
}
