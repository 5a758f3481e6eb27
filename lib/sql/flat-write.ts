import { callsOf, type DataCall, type Plan } from '../data-client/plan.js';
import type { Storage } from '../model/storage/storage.js';
import type { KeyCondition } from '../query/condition.js';
import { fieldNamed, hasValues } from '../query/fields.js';
import { isWrite } from '../query/query.js';
import type { Selection } from '../query/selection.js';
import {
  type CreateMany,
  isAnswered,
  type UpdateMany,
  type Upsert,
  type Write,
  type WrittenRecord,
  type WrittenRelation,
} from '../query/write.js';
import { type Assignment, assignmentsOf, type ReferredRow, withFilled } from './assignments.js';
import { decline } from './declined.js';
import { keyOf, type LinkChange, linkChange, linksElsewhere } from './links.js';
import { type ChildRows, isHeldByTarget, nestedCreates } from './nested-creates.js';
import { scalarEncoder } from './parameter.js';
import { requireChecked } from './require-checked.js';

/**
 * A write that one statement does: of one row, which it answers, or of any number of rows of one table, which it counts or answers. Rows of other tables
 * may be created with one that is.
 */
export interface FlatWrite {
  readonly query: Write;
  /** What is written into each row that is created, or into all that are updated. Of an upsert: into a new row, and into one that is there. */
  readonly records: readonly (readonly Assignment[])[];
  /** Rows that must be there. */
  readonly referred: readonly ReferredRow[];
  /** Rows that the caller of a client must see before anything is written: a policy may ask a function that sees what the statement writes. */
  readonly seen?: readonly ReferredRow[];
  /** Whether it links its row, which Prisma reads again afterwards. */
  readonly isLinking?: true;
  /** What is created with the row, in other tables. */
  readonly children?: readonly ChildRows[];
  /** Its links, where other tables hold them. */
  readonly links?: readonly LinkChange[];
  /** How many rows it may answer; absent without a limit. */
  readonly most?: number;
  /** The call of its plan that looks whether an upsert will find a row. */
  readonly look?: DataCall;
}

/** Who writes. */
export interface FlatContext {
  /** Whether the client is bound to a caller, who may not refer to rows that they do not see. */
  readonly isBound: boolean;
  readonly storage: Storage;
}

/** Whether it writes nothing into the row itself. */
export function linksAlone({ query, records, links }: FlatWrite): boolean {
  return query.kind === 'update' && links !== undefined && records.flat().length === 0;
}

/** The command that a write is in SQL. */
export const COMMANDS = Object.freeze({
  'create': 'INSERT',
  'create-many': 'INSERT',
  'update': 'UPDATE',
  'update-many': 'UPDATE',
  'delete': 'DELETE',
  'upsert': 'INSERT',
  'delete-many': 'DELETE',
} as const satisfies Record<Write['kind'], string>);

/** A write that answers any number of rows. */
export type RowsWrite = (CreateMany | UpdateMany) & { readonly selection: Selection };

export function isRowsWrite(query: Write): query is RowsWrite {
  return (query.kind === 'create-many' || query.kind === 'update-many') && isAnswered(query);
}

/**
 * The write of a plan that writes rows of one model, and reads no others but those that it refers to.
 *
 * @throws Declined for anything else
 */
export function flatWrite(plan: Plan, { isBound, storage }: FlatContext): FlatWrite {
  const calls = callsOf(plan);
  const call = calls.at(-1) ?? decline('a plan of nothing');
  const query = flatQuery(call);
  const look = lookOf(query, calls.at(-2));
  const checks = [...calls.slice(0, -1), ...(call.before ?? [])].filter((one) => one !== look);
  const checked = checks.flatMap(checkedRows);
  const linking = linkingIn(query);
  const relations = nestedIn(query).filter((one) => !linking.includes(one));
  const now = new Date();
  const links = linking.map((one) => linkChange(query.model, one, now));
  const written = recordsOf(query).map(({ relations: all, ...rest }) => {
    const record = { relations: all.filter((one) => one.verbs.length > 0 && !relations.includes(one) && !linking.includes(one)), ...rest };
    const { assignments, referred } = assignmentsOf(record);
    const isUnchanged = query.kind === 'update' && links.length > 0 && assignments.length === 0;
    const isLinking = record.relations.length > 0;
    return { isLinking, assignments: isUnchanged ? [] : withFilled(record, assignments, now), referred };
  });
  const { children, referred } = nestedCreates(query.model, relations, now);
  const records = written.map(({ assignments }) => assignments);
  const flat: FlatWrite = {
    query,
    records,
    ...whenLooked([...checked, ...written.flatMap((one) => one.referred), ...referred], isBound),
    ...(written.some(({ isLinking }) => isLinking) && { isLinking: true }),
    ...(children.length > 0 && { children }),
    ...(links.length > 0 && { links }),
    ...limitOf(plan, call),
    ...(look && { look }),
  };
  requireFewValues(flat);
  requireOtherTables(flat);
  if (isBound) {
    requireOneTable(flat);
    requireChecked(recordsOf(query), { storage, checks });
  }
  return flat;
}

function whenLooked(rows: readonly ReferredRow[], isBound: boolean): Pick<FlatWrite, 'referred' | 'seen'> {
  return isBound && rows.length > 0 ? { referred: [], seen: rows } : { referred: rows };
}

/** What is created through the relations of a new row, whose key other tables hold. */
function nestedIn(query: Write): readonly WrittenRelation[] {
  return query.kind === 'create' ? query.record.relations.filter(isHeldByTarget) : [];
}

/** What links the row of a write, or cuts its links, in other tables. */
function linkingIn(query: Write): readonly WrittenRelation[] {
  return query.kind === 'create' || query.kind === 'update' ? query.record.relations.filter(linksElsewhere) : [];
}

function requireFewValues({ records, children = [], links = [] }: FlatWrite): void {
  let values = 0;
  for (const record of records) values += record.length;
  for (const child of children) for (const record of child.records) values += record.length;
  for (const { rows } of links) values += rows.length;
  if (values > MOST_VALUES) decline(`more than ${MOST_VALUES} values`);
}

/** PostgreSQL changes a row once in a statement, and parts of it do not see what the others do. */
function requireOtherTables({ query, records, children = [], links = [] }: FlatWrite): void {
  const tables = [
    ...children.map(({ model }) => model.table),
    ...links.map(({ relation, target }) => (relation.joinTable ?? target).table),
  ];
  if (new Set([query.model.table, ...tables]).size <= tables.length) decline('nested writes of the same table');
  const changed = query.kind === 'update' ? records.flat().map(({ field }) => field) : [];
  if (changed.length > 0 && links.some(({ target }) => target === query.model))
    decline('links of a row that changes to rows of its own table');
  if (links.some(({ relation }) => keyOf(query.model, relation).some((field) => changed.includes(field))))
    decline('a change of a key that links hold');
}

/** Policies may not show the rows of other tables that a caller writes. */
function requireOneTable({ links, children }: FlatWrite): void {
  if (links) decline('links, of which policies may not show both rows');
  if (children) decline('a nested create, which policies may not see the row of');
}

/** A look for the row of an upsert: the data client does not say what it did. */
function lookOf(query: Write, before: DataCall | undefined): DataCall | undefined {
  if (query.kind !== 'upsert' || before?.query.kind !== 'find-unique' || before.query.where !== query.where) return undefined;
  return before.expect || before.before || before.awaitsRows ? undefined : before;
}

/** What the rows of an answer are held to. */
function limitOf(plan: Plan, { expect }: DataCall): Pick<FlatWrite, 'most'> {
  if (expect?.kind !== 'at-most') return {};
  const { rows } = expect;
  return { most: plan.kind === 'transaction' && plan.limit ? Math.min(rows, plan.limit.rows) : rows };
}

function recordsOf(query: Write): readonly WrittenRecord[] {
  if (query.kind === 'upsert') return [query.create, query.update];
  if ('records' in query) return query.records.length > 0 ? query.records : decline('no record');
  return 'record' in query ? [query.record] : [];
}

function flatQuery(call: DataCall): Write {
  requirePlain(call);
  const { query } = call;
  if (!isWrite(query)) return decline(`the operation ${query.kind}`);
  if ('loadStrategy' in query) decline('the argument relationLoadStrategy');
  if ('limit' in query) decline('the argument limit');
  if (query.kind === 'update-many' && query.isPart) decline('a part of another write');
  if (query.kind === 'upsert') requireNative(query);
  if (isAnswered(query)) requireOwnFields(query.selection);
  return query;
}

function requireOwnFields({ members }: Selection): void {
  if (!members.every(({ kind }) => kind === 'field')) decline('an answer with more than the fields of the row');
}

/** Each number of records has a statement of its own, which is kept. */
const MOST_VALUES = 1_000;

/** What is required of the row itself is among the conditions of its statement by now. How many rows there may be is, too. */
function requirePlain({ expect, foreignKeys = [], awaitsRows }: DataCall): void {
  if ((expect && expect.kind !== 'at-most') || awaitsRows || foreignKeys.length > 0) decline('a check of the write');
}

/** A look for rows by their keys. */
function checkedRows({ query: { model }, expect, before, awaitsRows }: DataCall): readonly ReferredRow[] {
  if (expect?.kind !== 'all-found' || expect.otherSpellings || before || awaitsRows) return decline('a check of other rows');
  return expect.wanted.map(({ key }) => ({ model, condition: hasValues(model, key) }));
}

/**
 * Requires what Prisma requires to leave an upsert to the database (Prisma Client API, "Database upserts"): it is by one key, whose values the new row
 * has, it writes something into a row that is there, and nothing through relations. Any other looks for the row first.
 *
 * @throws Declined for any other
 */
function requireNative({ where: { keys, more }, create, update }: Upsert): void {
  const [key, ...others] = keys;
  if (others.length > 0 || more.kind !== 'always') decline('an upsert by more than one key');
  if (create.relations.length > 0 || update.relations.length > 0) decline('an upsert that writes through relations');
  if (update.fields.length === 0) decline('an upsert that changes nothing');
  if (!hasKey(create, key)) decline('an upsert that creates a row with another key');
}

function hasKey({ model, fields }: WrittenRecord, { key, values }: KeyCondition): boolean {
  return key.fields.every((name, index) => {
    const given = fields.find(({ field }) => field.name === name);
    const encode = scalarEncoder(fieldNamed(model, name));
    return given !== undefined && given.value !== null && encode(given.value) === encode(values[index]);
  });
}
