import type { Argument } from './argument-planner.js';
import { AGGREGATE } from '../../prisma/aggregates.js';
import { planAggregate, planCountAggregate, planCountSelect } from './plan-aggregate.js';
import { planCreateData, planCreateManyData, planReturnedRecords, planUpdateData, planUpdateManyData } from './plan-data.js';
import { planGroupOrder, planOrder } from './plan-order.js';
import { planCount, planFieldNames, planFirstTake, planReturnedCount, planTake } from './plan-page.js';
import { planSkipDuplicates } from './plan-skip-duplicates.js';
import { planCursor, planHaving, planUniqueWhere, planUpsertWhere, planWhere } from './plan-where.js';
import { readChoice } from '../../prisma/typed-slots.js';
import type { RPC_OPERATIONS, RpcOperationName } from '../protocol/rpc-operations.js';

/** The values of `relationLoadStrategy`. */
export const LOAD_STRATEGIES = ['join', 'query'] as const;

const relationLoadStrategy: Argument = { plan: (_, value, path) => readChoice(value, path, LOAD_STRATEGIES), takes: 'load-strategy' };

const WHERE: Argument = { plan: planWhere, takes: 'where' };
const UNIQUE_WHERE: Argument = { plan: planUniqueWhere, takes: 'unique-where' };
const UPSERT_WHERE: Argument = { plan: planUpsertWhere, takes: 'unique-where' };
const COUNT: Argument = { plan: planCount, takes: 'count' };
const TAKE: Argument = { plan: planTake, takes: 'take' };
const FIELD_NAMES: Argument = { plan: planFieldNames, takes: 'field-names' };
const COUNT_AGGREGATE: Argument = { plan: planCountAggregate, takes: 'count-aggregate' };
const CREATE_DATA: Argument = { plan: planCreateData, takes: 'create-data' };
const UPDATE_DATA: Argument = { plan: planUpdateData, takes: 'update-data' };
const SKIP_DUPLICATES: Argument = { plan: planSkipDuplicates, takes: 'flag' };
const RECORDS = { kind: 'one-or-many', of: 'create-many-data' } as const;

const ORDER: Argument = { plan: planOrder, takes: 'order' };
const CURSOR: Argument = { plan: planCursor, takes: 'cursor' };
const PAGE = { where: WHERE, orderBy: ORDER, cursor: CURSOR, take: TAKE, skip: COUNT };
const FIND = { ...PAGE, distinct: FIELD_NAMES, relationLoadStrategy };
const FIND_FIRST = { ...FIND, take: { plan: planFirstTake, takes: 'take' } } as const;
const FIND_UNIQUE = { where: UNIQUE_WHERE, relationLoadStrategy };
const CREATE_MANY = { data: { plan: planCreateManyData, takes: RECORDS }, skipDuplicates: SKIP_DUPLICATES } as const;
const UPDATE_MANY = { where: WHERE, data: { plan: planUpdateManyData, takes: 'update-many-data' }, limit: COUNT } as const;

const AGGREGATES = {
  _count: COUNT_AGGREGATE,
  _avg: { plan: planAggregate(AGGREGATE._avg), takes: 'aggregate-avg' },
  _sum: { plan: planAggregate(AGGREGATE._sum), takes: 'aggregate-sum' },
  _min: { plan: planAggregate(AGGREGATE._min), takes: 'aggregate-min' },
  _max: { plan: planAggregate(AGGREGATE._max), takes: 'aggregate-max' },
} as const;

/** The keys that planSelection plans together. The `select` of `count` is an aggregate instead. */
type SelectionKey<Name extends RpcOperationName> = Name extends 'count' ? never : 'select' | 'include' | 'omit';

type ArgumentKey<Name extends RpcOperationName> = Exclude<(typeof RPC_OPERATIONS)[Name]['arguments'][number], SelectionKey<Name>>;

/** The planner of each argument of each operation. The compiler compares the keys with the table of operations. */
const ARGUMENTS: { readonly [Name in RpcOperationName]: Readonly<Record<ArgumentKey<Name>, Argument>> } = {
  findMany: FIND,
  findUnique: FIND_UNIQUE,
  findUniqueOrThrow: FIND_UNIQUE,
  findFirst: FIND_FIRST,
  findFirstOrThrow: FIND_FIRST,
  count: { ...PAGE, select: { plan: planCountSelect, takes: 'count-aggregate' } },
  aggregate: { ...PAGE, ...AGGREGATES },
  groupBy: {
    by: FIELD_NAMES,
    where: WHERE,
    having: { plan: planHaving, takes: 'having' },
    orderBy: { plan: planGroupOrder, takes: 'group-order' },
    take: TAKE,
    skip: COUNT,
    ...AGGREGATES,
  },
  create: { data: CREATE_DATA, relationLoadStrategy },
  createMany: CREATE_MANY,
  createManyAndReturn: { ...CREATE_MANY, data: { plan: planReturnedRecords, takes: RECORDS } },
  update: { where: UNIQUE_WHERE, data: UPDATE_DATA, relationLoadStrategy },
  updateMany: UPDATE_MANY,
  updateManyAndReturn: { ...UPDATE_MANY, limit: { plan: planReturnedCount, takes: 'count' } },
  upsert: { where: UPSERT_WHERE, create: CREATE_DATA, update: UPDATE_DATA, relationLoadStrategy },
  delete: { where: UNIQUE_WHERE, relationLoadStrategy },
  deleteMany: { where: WHERE, limit: COUNT },
};

const BY_OPERATION = new Map(Object.entries(ARGUMENTS).map(([name, rows]) => [name, new Map(Object.entries(rows))]));

/** Returns the arguments of an operation by key, without those of its selection. */
export function argumentsOf(operation: RpcOperationName): ReadonlyMap<string, Argument> {
  return BY_OPERATION.get(operation) ?? new Map<string, Argument>();
}
