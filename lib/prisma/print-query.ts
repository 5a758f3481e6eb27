import { match, type Table } from '../query/match.js';
import type { StoredField } from '../model/storage/storage.js';
import type { Query } from '../query/query.js';
import type { AggregateMember, CountedValues, Find, GroupBy } from '../query/read.js';
import { type LoadStrategy, relatedMembers, type Selection } from '../query/selection.js';
import { printCondition, printUnique, printWhere } from './print-condition.js';
import { ALL_ROWS, type PrismaOperation, type Where } from './words.js';
import { printOrder, printPage, printSelection, selectsAllFields } from './print-selection.js';
import { printRecord, printSkipping } from './print-record.js';

/** One call of a Prisma client: `client[delegate][operation](args)`. */
export interface PrismaCall {
  readonly delegate: string;
  readonly operation: PrismaOperation;
  readonly args: Arguments;
}

type Arguments = Readonly<Record<string, unknown>>;

/** The properties of a client that the printed arguments depend on. */
export interface PrintedFor {
  /** Whether a `select` of all fields is omitted. Prisma returns the same rows without it, and takes a tenth less time for each. */
  readonly leavesOut?: boolean;
  /** Whether the client reads relations by joins unless the query has a `relationLoadStrategy`. */
  readonly joins?: boolean;
}

/** Prints a query as a call of Prisma's client, which ZenStack's client accepts, too. */
export function printQuery(query: Query, client: PrintedFor = {}): PrismaCall {
  const printed = match(ARGUMENTS, query);
  const args = 'selection' in query ? { ...printed, ...printAnswer(query, client) } : printed;
  return { delegate: query.model.delegate, operation: operationOf(query), args };
}

/** Returns the method of a Prisma delegate that executes a query. */
export function operationOf(query: Query): PrismaOperation {
  return match(OPERATIONS, query);
}

const OPERATIONS: Table<Query, [], PrismaOperation> = {
  'find-unique': ({ isRequired }) => (isRequired ? 'findUniqueOrThrow' : 'findUnique'),
  'find': ({ rows, isRequired }) => (rows === 'many' ? 'findMany' : isRequired ? 'findFirstOrThrow' : 'findFirst'),
  'count': () => 'count',
  'aggregate': () => 'aggregate',
  'group-by': () => 'groupBy',
  'create': () => 'create',
  'create-many': ({ selection }) => (selection ? 'createManyAndReturn' : 'createMany'),
  'update': () => 'update',
  'update-many': ({ selection }) => (selection ? 'updateManyAndReturn' : 'updateMany'),
  'upsert': () => 'upsert',
  'delete': () => 'delete',
  'delete-many': () => 'deleteMany',
};

/** The arguments of each query except its selection. */
const ARGUMENTS: Table<Query, [], Arguments> = {
  'find-unique': (query) => ({ where: printUnique(query.where, query.model) }),
  'find': printRows,
  'count': (query) => ({ ...printRows(query), ...(query.counted && { select: printCounted(query.counted) }) }),
  'aggregate': (query) => ({ ...printRows(query), ...printAggregates(query.aggregates) }),
  'group-by': (query) => ({
    by: query.by.map(({ name }) => name),
    ...printRows(query),
    ...(query.having.kind !== 'always' && { having: printHaving(query) }),
    ...printAggregates(query.aggregates),
  }),
  'create': (query) => ({ data: printRecord(query.record) }),
  'create-many': (query) => ({
    data: query.records.map(printRecord),
    ...printSkipping(query),
  }),
  'update': (query) => ({
    where: printUnique(query.where, query.model),
    data: printRecord(query.record),
  }),
  'update-many': (query) => ({
    where: printCondition(query.where, query.model),
    data: printRecord(query.record),
    ...printLimit(query),
  }),
  'upsert': (query) => ({
    where: printUnique(query.where, query.model),
    create: printRecord(query.create),
    update: printRecord(query.update),
  }),
  'delete': (query) => ({ where: printUnique(query.where, query.model) }),
  'delete-many': (query) => ({ where: printCondition(query.where, query.model), ...printLimit(query) }),
};

/** Prints a `having`. Because Prisma accepts only fields of `by` there, a condition that no group meets compares one of these. */
function printHaving({ having, model, by }: GroupBy): Where {
  const [name = ''] = by.map((field) => field.name);
  return printCondition(having, { ...model, primaryKey: { name, fields: by.map((field) => field.name) } });
}

function printRows({ where, model, order, page }: Pick<Find, 'where' | 'model' | 'order' | 'page'>): Arguments {
  return { ...printWhere(where, model), ...printOrder(order), ...printPage(page) };
}

interface Answered {
  readonly kind: Query['kind'];
  readonly selection?: Selection;
  readonly loadStrategy?: LoadStrategy;
}

function printAnswer(query: Answered, { leavesOut = false, joins = false }: PrintedFor): Arguments {
  const { selection } = query;
  const loadStrategy = query.loadStrategy ?? (joins && readsInexactly(query) ? 'query' : undefined);
  return {
    ...(selection && !(leavesOut && selectsAllFields(selection)) && { select: printSelection(selection) }),
    ...(loadStrategy !== undefined && { relationLoadStrategy: loadStrategy }),
  };
}

/** Whether a join changes values of the result. Writes of many rows have no relations, and accept no load strategy. */
function readsInexactly({ kind, selection }: Answered): boolean {
  return kind !== 'create-many' && kind !== 'update-many' && selection !== undefined && !areExactInJoins(selection);
}

/** Whether all fields of related rows have types that Prisma reads correctly by a join, which parses them from JSON (prisma/orm#28349). */
function areExactInJoins(selection: Selection): boolean {
  return relatedMembers(selection).every((member) => {
    const { members } = member.selection;
    return members.every((one) => one.kind !== 'field' || isExactInJoins(one.field)) && areExactInJoins(member.selection);
  });
}

function isExactInJoins({ type, list }: StoredField): boolean {
  return !list && EXACT_IN_JSON.has(type);
}

const EXACT_IN_JSON: ReadonlySet<StoredField['type']> = new Set(['String', 'Boolean', 'Int', 'Enum'] as const);

function printLimit({ limit }: { readonly limit?: number }): Arguments {
  return limit === undefined ? {} : { limit };
}

function printCounted(counted: readonly CountedValues[]): Arguments {
  return Object.fromEntries(counted.map((one) => [one === ALL_ROWS ? ALL_ROWS : one.name, true]));
}

function printAggregates(aggregates: readonly AggregateMember[]): Arguments {
  return Object.fromEntries(aggregates.map(({ aggregate, of }) => [aggregate, of === 'rows' ? true : printCounted(of)]));
}
