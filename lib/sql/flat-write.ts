import { randomUUID } from 'node:crypto';
import { callsOf, type DataCall, type Plan } from '../data-client/plan.js';
import type { StoredField, StoredForeignKey, StoredModel } from '../model/storage/storage.js';
import { uniqueAsCondition, type Condition } from '../query/condition.js';
import { fieldNamed, hasValues } from '../query/fields.js';
import { isWrite } from '../query/query.js';
import {
  type ConnectVerb,
  type Create,
  type CreateMany,
  type Delete,
  type DeleteMany,
  isAnswered,
  type Update,
  type UpdateMany,
  type Upsert,
  type Write,
  type WrittenField,
  type WrittenRecord,
  type WrittenRelation,
} from '../query/write.js';
import { decline } from './declined.js';
import { jsonNullOf } from './json-null.js';

/** A write that one statement does: of one row, which it answers, or of any number of them, which it counts. */
export interface FlatWrite {
  readonly query: FlatQuery;
  /** What is written into each row that is created, or into all that are updated. */
  readonly records: readonly (readonly Assignment[])[];
  /** Rows that must be there. */
  readonly referred: readonly ReferredRow[];
}

export type FlatQuery = Exclude<Write, Upsert>;

/** The command that a write is in SQL. */
export const COMMANDS = Object.freeze({
  'create': 'INSERT',
  'create-many': 'INSERT',
  'update': 'UPDATE',
  'update-many': 'UPDATE',
  'delete': 'DELETE',
  'delete-many': 'DELETE',
} as const satisfies Record<FlatQuery['kind'], string>);

/** What is written into a field. */
export interface Assignment {
  readonly field: StoredField;
  readonly operation: 'set' | 'increment' | 'decrement';
  readonly value: unknown;
}

/** A row that is referred to. */
export interface ReferredRow {
  readonly model: StoredModel;
  readonly condition: Condition;
}

/**
 * The write of a plan that writes rows of one model, and reads no others but those that it refers to.
 *
 * @param isBound whether the client is bound to a caller, who may not refer to rows that they do not see
 * @throws Declined for anything else
 */
export function flatWrite(plan: Plan, isBound: boolean): FlatWrite {
  const calls = callsOf(plan);
  const call = calls.at(-1) ?? decline('a plan of nothing');
  const query = flatQuery(call);
  const checked = [...calls.slice(0, -1), ...(call.before ?? [])].flatMap(checkedRows);
  const written = recordsOf(query).map((record) => {
    const { assignments, referred } = assignmentsOf(record);
    return { assignments: withFilled(record, assignments), referred };
  });
  const records = written.map(({ assignments }) => assignments);
  const referred = written.flatMap((one) => one.referred);
  if (isBound && (referred.length > 0 || records.some((assignments) => refersTo(query.model, assignments))))
    decline('a foreign key, which the caller may not see the row of');
  if (records.flat().length > MOST_VALUES) decline(`more than ${MOST_VALUES} values`);
  return { query, records, referred: [...checked, ...referred] };
}

function recordsOf(query: FlatQuery): readonly WrittenRecord[] {
  if ('records' in query) return query.records.length > 0 ? query.records : decline('no record');
  return 'record' in query ? [query.record] : [];
}

function flatQuery(call: DataCall): FlatQuery {
  requirePlain(call);
  const { query } = call;
  if (!isWrite(query) || query.kind === 'upsert') return decline(`the operation ${query.kind}`);
  if (query.kind === 'create-many' || query.kind === 'update-many' || query.kind === 'delete-many') requireCount(query);
  else requireOwnFields(query);
  return query;
}

function requireCount(query: CreateMany | UpdateMany | DeleteMany): void {
  if (isAnswered(query)) decline('an answer of several rows');
  if (query.kind === 'create-many') return;
  if (query.limit !== undefined) decline('the argument limit');
  if (query.kind === 'update-many' && query.isPart) decline('a part of another write');
}

function requireOwnFields(query: Create | Update | Delete): void {
  if (query.loadStrategy !== undefined) decline('the argument relationLoadStrategy');
  if (!query.selection.members.every(({ kind }) => kind === 'field')) decline('an answer with more than the fields of the row');
}

/** Each number of records has a statement of its own, which is kept. */
const MOST_VALUES = 1_000;

/** What is required of the row itself is among the conditions of its statement by now. */
function requirePlain({ expect, foreignKeys = [], awaitsRows }: DataCall): void {
  if (expect || awaitsRows || foreignKeys.length > 0) decline('a check of the write');
}

/** A look for rows by their keys. */
function checkedRows({ query: { model }, expect, before, awaitsRows }: DataCall): readonly ReferredRow[] {
  if (expect?.kind !== 'all-found' || expect.otherSpellings || before || awaitsRows) return decline('a check of other rows');
  return expect.wanted.map(({ key }) => ({ model, condition: hasValues(model, key) }));
}

interface Written {
  readonly assignments: readonly Assignment[];
  readonly referred: readonly ReferredRow[];
}

function assignmentsOf({ model, fields, relations }: WrittenRecord): Written {
  const links = relations.map((relation) => linkOf(model, relation));
  const assignments = [...fields.map(assignmentOf), ...links.flatMap((link) => link.assignments)];
  if (new Set(assignments.map(({ field }) => field)).size < assignments.length) decline('a field that is written twice');
  return { assignments, referred: links.flatMap(({ referred }) => referred) };
}

function assignmentOf({ field, operation, value }: WrittenField): Assignment {
  if (value === undefined) return decline(`no value of ${field.name}`);
  if (operation === 'set') return { field, operation, value: field.type === 'Json' ? jsonOf(value) : value };
  if ((operation !== 'increment' && operation !== 'decrement') || value === null) return decline(`the operation ${operation} of a field`);
  return { field, operation, value };
}

/** Prisma has a null of the database, and one of Json. */
function jsonOf(value: unknown): unknown {
  const kind = jsonNullOf(value);
  if (kind === undefined) return value ?? decline('a plain null of Json');
  return kind === 'DbNull' ? null : decline('a null of Json');
}

/** The key of a row that is linked, or none. */
function linkOf(model: StoredModel, { relation, target, verbs }: WrittenRelation): Written {
  const { foreignKey, name } = relation;
  const [verb, ...others] = verbs;
  if (!foreignKey || !verb || others.length > 0) return decline(`what is written through ${name}`);
  if (verb.kind === 'connect')
    return { assignments: keyOf(model, foreignKey, verb), referred: [{ model: target, condition: uniqueAsCondition(verb.row) }] };
  const fields = fieldsOf(model, foreignKey);
  const isCut = verb.kind === 'disconnect' && 'kind' in verb.row && verb.row.kind === 'always' && fields.every(({ optional }) => optional);
  if (!isCut) return decline(`what is written through ${name}`);
  return { assignments: fields.map((field) => ({ field, operation: 'set', value: null })), referred: [] };
}

/** The values of the key that the row is named by, if it is the one that is referred to. */
function keyOf(model: StoredModel, { fields, references }: StoredForeignKey, { row: { keys, more } }: ConnectVerb): readonly Assignment[] {
  const named = keys.find(({ key }) => key.fields.length === fields.length && references.every((name) => key.fields.includes(name)));
  if (!named || more.kind !== 'always') return decline('a row that is named by another key');
  return fieldsOf(model, { fields, references }).map((field, index) => {
    const value = named.values[named.key.fields.indexOf(references[index] ?? '')];
    return { field, operation: 'set', value: value ?? decline(`no value of ${field.name}`) };
  });
}

function fieldsOf(model: StoredModel, { fields }: StoredForeignKey): readonly StoredField[] {
  return fields.map((name) => fieldNamed(model, name));
}

/** What Prisma itself writes into fields that nobody has said anything of. The database fills the others. */
function withFilled({ model, action }: WrittenRecord, given: readonly Assignment[]): readonly Assignment[] {
  if (action === 'update' && given.length === 0) return decline('no change');
  const now = new Date();
  const known = new Set(given.map(({ field }) => field));
  const filled = [...model.fields.values()].flatMap((field): readonly Assignment[] => {
    if (known.has(field) || field.ignored) return [];
    const value = field.isUpdatedAt ? now : action === 'create' ? fillingOf(field, now) : undefined;
    return value === undefined ? [] : [{ field, operation: 'set', value }];
  });
  return [...given, ...filled];
}

function fillingOf({ name, type, list, default: filling }: StoredField, now: Date): unknown {
  if (!filling) return undefined;
  if (filling.kind === 'value') return LITERAL.has(type) && !list ? filling.value : decline(`the default of ${name}`);
  const fill = FILLED[filling.name] ?? decline(`the default of ${name}`);
  return fill(now, filling.args?.[0]) ?? undefined;
}

/** Functions of a Prisma schema; the database itself has the value of those that return null. */
const FILLED: Readonly<Record<string, (now: Date, argument: string | number | undefined) => unknown>> = {
  autoincrement: () => null,
  dbgenerated: () => null,
  sequence: () => null,
  now: (now) => now,
  uuid: (_, version = 4) => (version === 4 ? randomUUID() : decline(`uuid(${version})`)),
};

/** Types whose literals in a Prisma schema are the values. */
const LITERAL: ReadonlySet<StoredField['type']> = new Set(['String', 'Boolean', 'Int', 'BigInt', 'Float', 'Decimal', 'Enum'] as const);

function refersTo({ relations }: StoredModel, assignments: readonly Assignment[]): boolean {
  const keyed = new Set([...relations.values()].flatMap(({ foreignKey }) => foreignKey?.fields ?? []));
  return assignments.some(({ field, value }) => value !== null && keyed.has(field.name));
}
