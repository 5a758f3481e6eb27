import type { StoredField, StoredModel } from '../model/storage/storage.js';
import { ALWAYS, type AggregateFunction, type Condition, type KeyCondition, type UniqueCondition } from '../query/condition.js';
import { AGGREGATE_FUNCTIONS } from '../prisma/words.js';
import type { Order } from '../query/order.js';
import type { Query } from '../query/query.js';
import type { AggregateMember } from '../query/read.js';
import type { LoadStrategy, Page, Selection } from '../query/selection.js';
import type { WrittenRecord } from '../query/write.js';
import type { RpcOperationName } from './protocol/rpc-operations.js';

/** The planned arguments of an operation. The table of operations defines which of them an operation has. */
export interface PlannedArguments extends Readonly<Partial<Record<AggregateFunction, AggregateMember['of']>>> {
  readonly where?: Condition | UniqueCondition;
  readonly orderBy?: Order;
  readonly cursor?: readonly KeyCondition[];
  readonly take?: number;
  readonly skip?: number;
  readonly distinct?: readonly StoredField[];
  readonly by?: readonly StoredField[];
  readonly having?: Condition;
  /** The `select` of a count. */
  readonly select?: AggregateMember['of'];
  readonly data?: WrittenRecord | readonly WrittenRecord[];
  readonly create?: WrittenRecord;
  readonly update?: WrittenRecord;
  readonly limit?: number;
  readonly skipDuplicates?: boolean;
  readonly relationLoadStrategy?: LoadStrategy;
}

/** The model of an operation, and the selection of its result. */
export interface Subject {
  readonly model: StoredModel;
  /** Absent if the operation returns no rows. */
  readonly selection: Selection | undefined;
}

/** Assembles the query of an operation from its planned arguments. */
export function assembleQuery(name: RpcOperationName, planned: PlannedArguments, subject: Subject): Query {
  return Object.freeze(QUERIES[name](planned, subject));
}

type Assemble = (planned: PlannedArguments, subject: Subject) => Query;

const findUnique =
  (isRequired: boolean): Assemble =>
  (planned, subject) => ({ kind: 'find-unique', isRequired, ...oneRow(planned), ...returning(planned, subject) });

const find =
  (rows: 'first' | 'many', isRequired: boolean): Assemble =>
  (planned, subject) => ({ kind: 'find', rows, isRequired, ...someRows(planned), ...returning(planned, subject) });

const createMany: Assemble = ({ data, skipDuplicates }, subject) => ({
  kind: 'create-many',
  records: listOf(data),
  ...(skipDuplicates !== undefined && { skipDuplicates }),
  ...maybeReturning(subject),
});

const updateMany: Assemble = ({ where, data, limit }, subject) => ({
  kind: 'update-many',
  where: condition(where),
  record: only(data),
  ...(limit !== undefined && { limit }),
  ...maybeReturning(subject),
});

const QUERIES: Readonly<Record<RpcOperationName, Assemble>> = {
  findUnique: findUnique(false),
  findUniqueOrThrow: findUnique(true),
  findFirst: find('first', false),
  findFirstOrThrow: find('first', true),
  findMany: find('many', false),
  count: ({ select = 'rows', ...planned }, { model }) => ({
    kind: 'count',
    model,
    ...someRows(planned),
    ...(select !== 'rows' && { counted: select }),
  }),
  aggregate: (planned, { model }) => ({ kind: 'aggregate', model, ...someRows(planned), aggregates: aggregatesOf(planned) }),
  groupBy: (planned, { model }) => ({
    kind: 'group-by',
    model,
    by: planned.by ?? [],
    having: planned.having ?? ALWAYS,
    ...someRows(planned),
    aggregates: aggregatesOf(planned),
  }),
  create: (planned, subject) => ({ kind: 'create', record: only(planned.data), ...returning(planned, subject) }),
  createMany,
  createManyAndReturn: createMany,
  update: (planned, subject) => ({ kind: 'update', ...oneRow(planned), record: only(planned.data), ...returning(planned, subject) }),
  updateMany,
  updateManyAndReturn: updateMany,
  upsert: (planned, subject) => ({
    kind: 'upsert',
    ...oneRow(planned),
    create: only(planned.create),
    update: only(planned.update),
    ...returning(planned, subject),
  }),
  delete: (planned, subject) => ({ kind: 'delete', ...oneRow(planned), ...returning(planned, subject) }),
  deleteMany: ({ where, limit }, { model }) => ({
    kind: 'delete-many',
    model,
    where: condition(where),
    ...(limit !== undefined && { limit }),
  }),
};

function returning({ relationLoadStrategy: loadStrategy }: PlannedArguments, { model, selection }: Subject) {
  if (!selection) throw new TypeError('The operation answers rows, and nothing of them was selected.');
  return { model, selection, ...(loadStrategy !== undefined && { loadStrategy }) };
}

function maybeReturning({ model, selection }: Subject) {
  return { model, ...(selection && { selection }) };
}

function oneRow({ where }: PlannedArguments): { readonly where: UniqueCondition } {
  if (!where || !('keys' in where)) throw new TypeError('The operation is about one row, and none was named.');
  return { where };
}

function someRows({ where, orderBy: order = [], cursor, take, skip, distinct }: PlannedArguments) {
  const page: Page = {
    ...(cursor && { cursor }),
    ...(take !== undefined && { take }),
    ...(skip !== undefined && { skip }),
    ...(distinct && { distinct }),
  };
  return { where: condition(where), order, page };
}

function condition(where: PlannedArguments['where'] = ALWAYS): Condition {
  if ('keys' in where) throw new TypeError('The operation is about several rows, and one was named.');
  return where;
}

function listOf(data: PlannedArguments['data']): readonly WrittenRecord[] {
  return data === undefined ? [] : 'kind' in data ? [data] : data;
}

function only(data: PlannedArguments['data']): WrittenRecord {
  const [record, ...others] = listOf(data);
  if (!record || others.length > 0) throw new TypeError('The operation writes one record.');
  return record;
}

function aggregatesOf(planned: PlannedArguments): readonly AggregateMember[] {
  return AGGREGATE_FUNCTIONS.flatMap((aggregate) => {
    const of = planned[aggregate];
    return of === undefined ? [] : [{ aggregate, of }];
  });
}
