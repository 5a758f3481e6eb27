import type { StoredField, StoredModel } from '../model/storage/storage.js';
import { and, compare, type Condition, equals, or } from './condition.js';
import type { FieldMember, Member, Selection } from './selection.js';

type Values = Readonly<Record<string, unknown>>;

/** A field by its name. */
export function fieldNamed({ model, fields }: StoredModel, name: string): StoredField {
  const field = fields.get(name);
  if (!field) throw new Error(`The storage has no field '${model}.${name}': both views are built from one schema.`);
  return field;
}

/** A selection of these members. */
export function selectionOf(model: StoredModel, members: readonly Member[]): Selection {
  return Object.freeze({ kind: 'selection', model, members: Object.freeze(members) });
}

/** Fields by their names as members of a selection. */
export function fieldMembers(model: StoredModel, names: readonly string[]): readonly FieldMember[] {
  return names.map((name) => Object.freeze({ kind: 'field', field: fieldNamed(model, name) }));
}

/** A selection of fields by their names alone. */
export function selectFields(model: StoredModel, names: readonly string[]): Selection {
  return selectionOf(model, fieldMembers(model, names));
}

/** The names of the fields of a selection. */
export function fieldsIn({ members }: Selection): readonly string[] {
  return members.flatMap((member) => (member.kind === 'field' ? [member.field.name] : []));
}

/** Whether a selection has nothing but fields. */
export function areFields({ members }: Selection): boolean {
  return members.every(({ kind }) => kind === 'field');
}

/** A selection with these fields, too. */
export function withFields(selection: Selection, names: readonly string[]): Selection {
  const { model, members } = selection;
  const asked = new Set(fieldsIn(selection));
  const unasked = [...new Set(names)].filter((name) => !asked.has(name));
  return unasked.length === 0 ? selection : selectionOf(model, [...members, ...fieldMembers(model, unasked)]);
}

/** The rows that have these values, by the names of their fields. */
export function hasValues(model: StoredModel, values: Values): Condition {
  return and(...Object.entries(values).map(([name, value]) => equals(fieldNamed(model, name), value)));
}

/** The rows that have the values of one of several rows in all of these fields. Prisma has no `in` for a Boolean. */
export function isAmong(model: StoredModel, names: readonly string[], rows: readonly Values[]): Condition {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) return or(...rows.map((row) => hasValues(model, row)));
  const field = fieldNamed(model, name);
  const values = [...new Set(rows.map((row) => row[name]))];
  return field.type === 'Boolean' ? or(...values.map((value) => equals(field, value))) : compare(field, 'in', values);
}
