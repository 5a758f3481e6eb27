import { callsOf, type DataCall, type Plan } from '../executor/plan.js';
import type { Storage } from '../model/storage/storage.js';
import type { KeyCondition } from '../query/condition.js';
import { areFields, fieldNamed, hasValues } from '../query/fields.js';
import { isWrite, type Query } from '../query/query.js';
import { rowKey } from '../query/key.js';
import { nameOf, type Selection } from '../query/selection.js';
import {
  type ReturningWrite,
  type CreateMany,
  returnsResult,
  type Update,
  type UpdateMany,
  type Upsert,
  type Write,
  type WrittenRecord,
  type WrittenRelation,
} from '../query/write.js';
import { flatMap } from '../utils/flat-map.js';
import { type Assignment, assignmentsOf, type ReferencedRow, withDefaults } from './assignments.js';
import { decline } from './declined.js';
import { findForeignKey, type LinkChange, linkChange, linksElsewhere } from './links.js';
import { type ChildRows, isHeldByTarget, nestedCreates } from './nested-creates.js';
import { scalarEncoder } from './parameter.js';
import { refersToChecked } from './refers-to-checked.js';

/**
 * A write that one statement executes: either of one row, which it returns, or of rows of one table, which it counts or returns. A create of one row
 * may include nested creates in other tables.
 */
export interface FlatWrite {
  readonly query: Write;
  /** The assignments of each created row, or of all updated rows. For an upsert: those of the new row, then those of the existing row. */
  readonly records: readonly (readonly Assignment[])[];
  /** Rows that must exist. */
  readonly referred: readonly ReferencedRow[];
  /**
   * Rows that the caller of a bound client must see before the write. A separate statement checks them, because a policy may call a function that
   * sees the changes of the write.
   */
  readonly seen?: readonly ReferencedRow[];
  /** Whether the write sets a foreign key of its row. Prisma reads such a row again afterwards. */
  readonly isLinking?: true;
  /** The rows of other tables that are created with the row. */
  readonly children?: readonly ChildRows[];
  /** Links of the row that are stored in other tables. */
  readonly links?: readonly LinkChange[];
  /** The maximum number of returned rows; absent without a limit. */
  readonly maxRows?: number;
  /** The call of the plan that checks whether the row of an upsert exists. */
  readonly look?: DataCall;
}

/** The properties of a run, besides its plan, that decide whether a write is flat. */
export interface FlatContext {
  /** Whether the client is bound to a caller, which forbids references to rows that the caller cannot see. */
  readonly isBound: boolean;
  readonly storage: Storage;
}

/** Whether a write changes only links in other tables, and nothing in the row itself. */
export function linksAlone({ query, records, links }: FlatWrite): boolean {
  return query.kind === 'update' && links !== undefined && records.flat().length === 0;
}

/** The SQL command of each kind of write. */
export const COMMANDS = Object.freeze({
  'create': 'INSERT',
  'create-many': 'INSERT',
  'update': 'UPDATE',
  'update-many': 'UPDATE',
  'delete': 'DELETE',
  'upsert': 'INSERT',
  'delete-many': 'DELETE',
} as const satisfies Record<Write['kind'], string>);

/** A write that returns any number of rows. */
export type RowsWrite = (CreateMany | UpdateMany) & { readonly selection: Selection };

export function isRowsWrite(query: Write): query is RowsWrite {
  return (query.kind === 'create-many' || query.kind === 'update-many') && returnsResult(query);
}

/**
 * Whether one statement can execute a plan: its last call is a flat write, and all other calls check that rows exist. The write may still be declined
 * when it is compiled.
 */
export function isOneStatement(plan: Plan, { isBound, storage }: FlatContext): boolean {
  const { query, expect, awaitsRows } = callsOf(plan).at(-1) ?? decline('a plan of nothing');
  if (!isWrite(query) || awaitsRows || (expect && expect.kind !== 'at-most') || !isFlat(query, isBound)) return false;
  const checks = checksOf(plan);
  if (!checks.every((check) => check.expect?.kind === 'all-found')) return false;
  return !isBound || refersToChecked(recordsOf(query), { storage, checks });
}

/** Returns the calls that run before the write, without the check whether the row of an upsert exists. */
function checksOf(plan: Plan): readonly DataCall[] {
  const calls = callsOf(plan);
  const call = calls.at(-1);
  const look = call && lookOf(call.query, calls.at(-2));
  return [...calls.slice(0, -1), ...(call?.before ?? [])].filter((one) => one !== look);
}

/** Whether one statement can execute a write and return its result. A write that changes nothing is not flat. */
export function isFlat(query: Write, isBound: boolean): boolean {
  if (returnsResult(query) && !answersItself(query)) return false;
  return query.kind === 'upsert' ? isNative(query) : !unchanged(query) && separateLinks(query, isBound).length === 0;
}

/** Whether `RETURNING` has all of the result. If a row is linked to itself, another part of the statement sets its key, which `RETURNING` lacks. */
function answersItself(query: ReturningWrite): boolean {
  const { model, selection } = query;
  if (!areFields(selection)) return false;
  const isLinked = linkingIn(query).some(({ relation, target }) => target === model && !relation.joinTable);
  return !isLinked || selection.members.every((member) => rowKey(model).fields.includes(nameOf(member)));
}

/**
 * Returns the links that need separate statements. Because PostgreSQL updates a row only once in a statement, a row that is linked and changed needs
 * two. Because the parts of a statement do not see each other's changes, which policies may depend on, a bound client needs separate statements, too.
 */
export function separateLinks(query: Write, isBound: boolean): readonly WrittenRelation[] {
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

/** Returns the names of the fields that a record writes into its own row, including its foreign keys. */
export function changedFields({ fields, relations }: WrittenRecord): readonly string[] {
  const linked = relations.filter(({ verbs }) => verbs.length > 0).flatMap(({ relation }) => relation.foreignKey?.fields ?? []);
  return [...fields.map(({ field }) => field.name), ...linked];
}

/** Returns a write if it is an update that changes nothing, so that it only reads its rows; otherwise undefined. */
export function unchanged(query: Write): Update | UpdateMany | undefined {
  if (query.kind !== 'update' && query.kind !== 'update-many') return undefined;
  const { fields, relations } = query.record;
  return fields.length === 0 && relations.every(({ verbs }) => verbs.length === 0) ? query : undefined;
}

/**
 * Returns the flat write of a plan. The calls before the write may only check that referenced rows exist.
 *
 * @throws Declined for any other plan
 */
export function flatWrite(plan: Plan, { isBound }: Pick<FlatContext, 'isBound'>): FlatWrite {
  const calls = callsOf(plan);
  const call = calls.at(-1) ?? decline('a plan of nothing');
  const look = lookOf(call.query, calls.at(-2));
  requirePlain(call);
  if (!isWrite(call.query)) return decline(`the operation ${call.query.kind}`);
  const flat = flatQuery(call.query, isBound, flatMap(checksOf(plan), checkedRows));
  return { ...flat, ...limitOf(plan, call), ...(look && { look }) };
}

/**
 * Returns a write as a flat write.
 *
 * @param checked additional rows that must exist
 * @throws Declined for a write that takes more than one statement
 */
export function flatQuery(query: Write, isBound: boolean, checked: readonly ReferencedRow[] = []): FlatWrite {
  requireSupportedArguments(query);
  if (!isFlat(query, isBound)) decline('a write of several statements');
  const linking = linkingIn(query);
  const relations = nestedIn(query).filter((one) => !linking.includes(one));
  const now = new Date();
  const links = linking.map((one) => linkChange(query.model, one, now));
  const isOwn = (one: WrittenRelation): boolean => one.verbs.length > 0 && !relations.includes(one) && !linking.includes(one);
  const written = recordsOf(query).map((one) => {
    const record = one.relations.length === 0 ? one : { ...one, relations: one.relations.filter(isOwn) };
    const { assignments, referred } = assignmentsOf(record);
    const onlyLinks = query.kind === 'update' && links.length > 0 && assignments.length === 0;
    return { isLinking: record.relations.length > 0, assignments: onlyLinks ? [] : withDefaults(record, assignments, now), referred };
  });
  const { children, referred } = nestedCreates(query.model, relations, now);
  const records = written.map(({ assignments }) => assignments);
  const flat: FlatWrite = {
    query,
    records,
    ...whenLooked([...checked, ...flatMap(written, (one) => one.referred), ...referred], isBound),
    ...(written.some(({ isLinking }) => isLinking) && { isLinking: true }),
    ...(children.length > 0 && { children }),
    ...(links.length > 0 && { links }),
  };
  requireFewValues(flat);
  if (isBound) requireOneTable(flat);
  return flat;
}

function whenLooked(rows: readonly ReferencedRow[], isBound: boolean): Pick<FlatWrite, 'referred' | 'seen'> {
  return isBound && rows.length > 0 ? { referred: [], seen: rows } : { referred: rows };
}

/** Returns the nested creates of a new row whose foreign keys are in other tables. */
function nestedIn(query: Write): readonly WrittenRelation[] {
  return query.kind === 'create' ? query.record.relations.filter(isHeldByTarget) : [];
}

/** Returns the relations of a write whose links are stored in other tables, and that it connects, disconnects or sets. */
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

/** Rejects a `set` and nested creates of a bound client, because policies may hide the rows of other tables. */
function requireOneTable({ links = [], children }: FlatWrite): void {
  if (links.some(({ kind }) => kind === 'set')) decline('links that are set, of which policies may not show both rows');
  if (children) decline('a nested create, which policies may not see the row of');
}

/**
 * Returns the call that checks whether the row of an upsert exists. It is part of the plan because the data client does not return which branch an
 * upsert took.
 */
function lookOf(query: Query, before: DataCall | undefined): DataCall | undefined {
  if (query.kind !== 'upsert' || before?.query.kind !== 'find-unique' || before.query.where !== query.where) return undefined;
  return before.expect || before.before || before.awaitsRows ? undefined : before;
}

/** Returns the limit for the rows that a call returns. */
function limitOf(plan: Plan, { expect }: DataCall): Pick<FlatWrite, 'maxRows'> {
  if (expect?.kind !== 'at-most') return {};
  const { rows } = expect;
  return { maxRows: plan.kind === 'transaction' && plan.limit ? Math.min(rows, plan.limit.rows) : rows };
}

function recordsOf(query: Write): readonly WrittenRecord[] {
  if (query.kind === 'upsert') return [query.create, query.update];
  if ('records' in query) return query.records.length > 0 ? query.records : decline('no record');
  return 'record' in query ? [query.record] : [];
}

/** @throws Declined for an argument that only Prisma supports */
export function requireSupportedArguments(query: Write): void {
  if ('loadStrategy' in query) decline('the argument relationLoadStrategy');
  if ('limit' in query) decline('the argument limit');
  if ((query.kind === 'create-many' || query.kind === 'update-many') && query.selection && !areFields(query.selection))
    decline('an answer with more than the fields of the rows');
}

/** The maximum number of values of a flat write. Each number of records has its own cached statement. */
const MOST_VALUES = 1_000;

/** Rejects expectations that the statement does not check. The requirements for the row itself, and the limit of rows, are already part of it. */
function requirePlain({ expect, foreignKeys = [], awaitsRows }: DataCall): void {
  if ((expect && expect.kind !== 'at-most') || awaitsRows || foreignKeys.length > 0) decline('a check of the write');
}

/** Returns the rows that a call checks by their keys. */
function checkedRows({ query: { model }, expect, before, awaitsRows }: DataCall): readonly ReferencedRow[] {
  if (expect?.kind !== 'all-found' || expect.otherSpellings || before || awaitsRows) return decline('a check of other rows');
  return expect.wanted.map(({ key }) => ({ model, condition: hasValues(model, key) }));
}

/**
 * Whether Prisma executes an upsert as one `ON CONFLICT` statement (Prisma Client API, "Database upserts"). The row is named by one key, whose values
 * the new row has. The update sets fields. Neither branch has nested writes, and the selection has only fields.
 *
 * For any other upsert, Prisma reads the row first.
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
