import { callsOf, type DataCall, type Plan } from '../executor/plan.js';
import type { Storage } from '../model/storage/storage.js';
import type { KeyCondition } from '../query/condition.js';
import { areFields, fieldNamed, hasValues } from '../query/fields.js';
import { isWrite, type Query } from '../query/query.js';
import { rowKey } from '../query/key.js';
import { nameOf, type Selection } from '../query/selection.js';
import {
  type AnsweredWrite,
  type CreateMany,
  isAnswered,
  type Update,
  type UpdateMany,
  type Upsert,
  type Write,
  type WrittenRecord,
  type WrittenRelation,
} from '../query/write.js';
import { type Assignment, assignmentsOf, type ReferredRow, withFilled } from './assignments.js';
import { decline } from './declined.js';
import { findForeignKey, type LinkChange, linkChange, linksElsewhere } from './links.js';
import { type ChildRows, isHeldByTarget, nestedCreates } from './nested-creates.js';
import { scalarEncoder } from './parameter.js';
import { refersToChecked } from './refers-to-checked.js';

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

/** Whether it is one statement, and the checks before it: a write that flat rows answer, if it can be compiled at all. */
export function isOneStatement(plan: Plan, { isBound, storage }: FlatContext): boolean {
  const { query, expect, awaitsRows } = callsOf(plan).at(-1) ?? decline('a plan of nothing');
  if (!isWrite(query) || awaitsRows || (expect && expect.kind !== 'at-most') || !isFlat(query, isBound)) return false;
  const checks = checksOf(plan);
  if (!checks.every((check) => check.expect?.kind === 'all-found')) return false;
  return !isBound || refersToChecked(recordsOf(query), { storage, checks });
}

/** What is asked before the write, but for whether an upsert will find its row. */
function checksOf(plan: Plan): readonly DataCall[] {
  const calls = callsOf(plan);
  const call = calls.at(-1);
  const look = call && lookOf(call.query, calls.at(-2));
  return [...calls.slice(0, -1), ...(call?.before ?? [])].filter((one) => one !== look);
}

/** Whether one statement can answer it, and does something. */
export function isFlat(query: Write, isBound: boolean): boolean {
  if (isAnswered(query) && !answersItself(query)) return false;
  return query.kind === 'upsert' ? isNative(query) : !unchanged(query) && linkedInTurn(query, isBound).length === 0;
}

/** Whether what it returns of its row is all of the answer. A row that it links may be that row itself: then only its key is as it will be. */
function answersItself(query: AnsweredWrite): boolean {
  const { model, selection } = query;
  if (!areFields(selection)) return false;
  const isLinked = linkingIn(query).some(({ relation, target }) => target === model && !relation.joinTable);
  return !isLinked || selection.members.every((member) => rowKey(model).fields.includes(nameOf(member)));
}

/**
 * The links that take statements of their own, one after the other: PostgreSQL changes a row once in a statement, and the parts of a statement do not see
 * what the others do, but a policy may ask a function that does.
 */
export function linkedInTurn(query: Write, isBound: boolean): readonly WrittenRelation[] {
  const linking = linkingIn(query);
  return linking.length > 0 && isInTurn(query, linking, isBound) ? linking : [];
}

function isInTurn(query: Write, linking: readonly WrittenRelation[], isBound: boolean): boolean {
  if (query.kind !== 'create' && query.kind !== 'update') return false;
  const { model, record } = query;
  const changed = changedFields(record);
  const isAlone = query.kind === 'update' && linking.length === 1 && changed.length === 0;
  if (isBound) return !isAlone;
  const tables = [
    model,
    ...linking.map(({ relation, target }) => relation.joinTable ?? target),
    ...nestedIn(query).flatMap((one) => (linking.includes(one) ? [] : [one.target])),
  ];
  const written = isAlone ? tables.slice(1) : tables;
  if (new Set(written.map(({ table }) => table)).size < written.length) return true;
  if (query.kind !== 'update' || changed.length === 0) return false;
  return linking.some(
    ({ relation, target }) => target === model || findForeignKey(model, relation).some(({ name }) => changed.includes(name)),
  );
}

/** The names of the fields that a record writes into its own row, those of the keys of rows that it links among them. */
export function changedFields({ fields, relations }: WrittenRecord): readonly string[] {
  const linked = relations.filter(({ verbs }) => verbs.length > 0).flatMap(({ relation }) => relation.foreignKey?.fields ?? []);
  return [...fields.map(({ field }) => field.name), ...linked];
}

/** An update that changes nothing, and only looks for its rows; undefined for any other write. */
export function unchanged(query: Write): Update | UpdateMany | undefined {
  if (query.kind !== 'update' && query.kind !== 'update-many') return undefined;
  const { fields, relations } = query.record;
  return fields.length === 0 && relations.every(({ verbs }) => verbs.length === 0) ? query : undefined;
}

/**
 * The write of a plan that writes rows of one model, and reads no others but those that it refers to.
 *
 * @throws Declined for anything else
 */
export function flatWrite(plan: Plan, { isBound }: Pick<FlatContext, 'isBound'>): FlatWrite {
  const calls = callsOf(plan);
  const call = calls.at(-1) ?? decline('a plan of nothing');
  const look = lookOf(call.query, calls.at(-2));
  requirePlain(call);
  if (!isWrite(call.query)) return decline(`the operation ${call.query.kind}`);
  const flat = flatQuery(call.query, isBound, checksOf(plan).flatMap(checkedRows));
  return { ...flat, ...limitOf(plan, call), ...(look && { look }) };
}

/**
 * The write of one query.
 *
 * @param checked rows that must be there, too
 * @throws Declined for one that takes more than a statement
 */
export function flatQuery(query: Write, isBound: boolean, checked: readonly ReferredRow[] = []): FlatWrite {
  requireUsual(query);
  if (!isFlat(query, isBound)) decline('a write of several statements');
  const linking = linkingIn(query);
  const relations = nestedIn(query).filter((one) => !linking.includes(one));
  const now = new Date();
  const links = linking.map((one) => linkChange(query.model, one, now));
  const written = recordsOf(query).map(({ relations: all, ...rest }) => {
    const record = { relations: all.filter((one) => one.verbs.length > 0 && !relations.includes(one) && !linking.includes(one)), ...rest };
    const { assignments, referred } = assignmentsOf(record);
    const onlyLinks = query.kind === 'update' && links.length > 0 && assignments.length === 0;
    const isLinking = record.relations.length > 0;
    return { isLinking, assignments: onlyLinks ? [] : withFilled(record, assignments, now), referred };
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
  };
  requireFewValues(flat);
  if (isBound) requireOneTable(flat);
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

/** Policies may not show the rows of other tables that a caller writes. */
function requireOneTable({ links = [], children }: FlatWrite): void {
  if (links.some(({ kind }) => kind === 'set')) decline('links that are set, of which policies may not show both rows');
  if (children) decline('a nested create, which policies may not see the row of');
}

/** A look for the row of an upsert: the data client does not say what it did. */
function lookOf(query: Query, before: DataCall | undefined): DataCall | undefined {
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

/** @throws Declined for what Prisma alone does */
export function requireUsual(query: Write): void {
  if ('loadStrategy' in query) decline('the argument relationLoadStrategy');
  if ('limit' in query) decline('the argument limit');
  if ((query.kind === 'create-many' || query.kind === 'update-many') && query.selection && !areFields(query.selection))
    decline('an answer with more than the fields of the rows');
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
 * Whether Prisma leaves an upsert to the database (Prisma Client API, "Database upserts"): it is by one key, whose values the new row has, it writes
 * something into a row that is there, and nothing through relations, and answers fields of the row alone. Any other looks for the row first.
 */
export function isNative({ where: { keys, more }, create, update, selection }: Upsert): boolean {
  const [key, ...others] = keys;
  if (others.length > 0 || more.kind !== 'always' || create.relations.length > 0 || update.relations.length > 0) return false;
  if (!areFields(selection)) return false;
  return update.fields.length > 0 && hasKey(create, key);
}

function hasKey({ model, fields }: WrittenRecord, { key, values }: KeyCondition): boolean {
  return key.fields.every((name, index) => {
    const given = fields.find(({ field }) => field.name === name);
    const encode = scalarEncoder(fieldNamed(model, name));
    return given !== undefined && given.value !== null && encode(given.value) === encode(values[index]);
  });
}
