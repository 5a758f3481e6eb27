import type { StoredField, StoredModel } from '../model/storage/storage.js';
import { fieldNamed } from '../query/fields.js';
import { keyPlaceOf, type Verb, type WrittenRecord, type WrittenRelation } from '../query/write.js';
import { type Assignment, assignmentsOf, resolveKeyFields, type ReferencedRow, withDefaults, type Written } from './assignments.js';
import { decline } from './declined.js';
import { requireSpelled } from './spellings.js';

/** Rows that are created together with their parent row, and reference it. */
export interface ChildRows {
  readonly model: StoredModel;
  readonly records: readonly (readonly Assignment[])[];
}

export interface NestedCreates {
  readonly children: readonly ChildRows[];
  /** Rows that must exist. */
  readonly referred: readonly ReferencedRow[];
}

/** Whether the foreign key of a relation is in the table of the related rows. */
export function isHeldByTarget({ relation }: WrittenRelation): boolean {
  return keyPlaceOf(relation).kind === 'target';
}

/**
 * Returns the nested creates of a new record.
 *
 * @throws Declined for nested writes other than creates in other tables, one level deep
 */
export function nestedCreates(parent: StoredModel, relations: readonly WrittenRelation[], now: Date): NestedCreates {
  if (relations.length === 0) return { children: [], referred: [] };
  // Each table may occur once, because `autoincrement` ids follow the order in which rows are inserted.
  const tables = new Set([parent, ...relations.map(({ target }) => target)]);
  if (tables.size <= relations.length) return decline('a nested create of the same table');
  const nested = relations
    .map((written) => ({ model: written.target, rows: childRows(parent, written, now) }))
    .filter(({ rows }) => rows.length > 0);
  return {
    children: nested.map(({ model, rows }) => ({ model, records: rows.map(({ assignments }) => assignments) })),
    referred: nested.flatMap(({ rows }) => rows.flatMap(({ referred }) => referred)),
  };
}

function childRows(parent: StoredModel, { relation, target, verbs }: WrittenRelation, now: Date): readonly Written[] {
  const key = relation.referredBy ?? decline(`what is written through ${relation.name}`);
  const links = resolveKeyFields(target, key).map((field, index): Assignment => {
    const value = fieldNamed(parent, key.references[index] ?? '');
    requireSpelled(field, value);
    return { field, operation: 'link', value };
  });
  const records = createdBy(relation.name, verbs);
  if (records.length > 1 && records.some(writesRelations)) decline('several nested creates, of which Prisma does those with links last');
  return records.map((record) => childRow(record, links, now));
}

function writesRelations({ relations }: WrittenRecord): boolean {
  return relations.some(({ verbs }) => verbs.length > 0);
}

function childRow(record: WrittenRecord, links: readonly Assignment[], now: Date): Written {
  const { assignments, referred } = assignmentsOf(record);
  const linked = new Set(links.map(({ field }) => field));
  if (assignments.some(({ field }) => linked.has(field))) decline('a field that is written twice');
  return { assignments: withDefaults(record, [...assignments, ...links], now), referred };
}

function createdBy(name: string, verbs: readonly Verb[]): readonly WrittenRecord[] {
  const [verb, ...others] = verbs;
  if (verb?.kind === 'create-many-related' && others.length === 0 && verb.skipDuplicates !== true) return verb.records;
  return verbs.map((one) => (one.kind === 'create-related' ? one.record : decline(`what is written through ${name}`)));
}

/** Returns the fields of the parent row that its children reference. */
export function referencesOf(children: readonly ChildRows[]): readonly StoredField[] {
  const written = children.flatMap(({ records }) => records.flat());
  return [...new Set(written.flatMap((one) => (one.operation === 'link' ? [one.value] : [])))];
}
