import { type ArgumentPlanner } from './arguments/argument-planner.js';
import { AGGREGATE } from './arguments/aggregates.js';
import { planAggregate, planCountAggregate } from './arguments/plan-aggregate.js';
import { planCreateData, planCreateManyData, planReturnedRecords, planUpdateData, planUpdateManyData } from './arguments/plan-data.js';
import { planHaving } from './arguments/plan-having.js';
import { planGroupOrder, planOrder } from './arguments/plan-order.js';
import { planCount, planFieldNames, planReturnedCount, planTake } from './arguments/plan-page.js';
import { planSkipDuplicates } from './arguments/plan-skip-duplicates.js';
import { planUniqueWhere } from './arguments/plan-unique-where.js';
import { planWhere } from './arguments/plan-where.js';
import { readChoice } from './arguments/typed-slots.js';
import { type RPC_OPERATIONS, type RpcOperationName } from './rpc-operations.js';

const relationLoadStrategy: ArgumentPlanner = (_, value, spot) => readChoice(value, spot, ['join', 'query']);

const PAGE = { where: planWhere, orderBy: planOrder, cursor: planUniqueWhere, take: planTake, skip: planCount };
const FIND = { ...PAGE, distinct: planFieldNames, relationLoadStrategy };
const FIND_UNIQUE = { where: planUniqueWhere, relationLoadStrategy };
const CREATE_MANY = { data: planCreateManyData, skipDuplicates: planSkipDuplicates };
const UPDATE_MANY = { where: planWhere, data: planUpdateManyData, limit: planCount };

const AGGREGATES = {
  _count: planCountAggregate,
  _avg: planAggregate(AGGREGATE._avg),
  _sum: planAggregate(AGGREGATE._sum),
  _min: planAggregate(AGGREGATE._min),
  _max: planAggregate(AGGREGATE._max),
};

/** The keys that planSelection plans together; in `count`, `select` is an aggregate of its own. */
type SelectionKey<Name extends RpcOperationName> = Name extends 'count' ? never : 'select' | 'include' | 'omit';

type ArgumentKey<Name extends RpcOperationName> = Exclude<(typeof RPC_OPERATIONS)[Name]['arguments'][number], SelectionKey<Name>>;

/** How each argument of each operation is planned; the compiler compares it with the table of operations, key by key. */
const ARGUMENT_PLANNERS: { readonly [Name in RpcOperationName]: Readonly<Record<ArgumentKey<Name>, ArgumentPlanner>> } = {
  findMany: FIND,
  findUnique: FIND_UNIQUE,
  findUniqueOrThrow: FIND_UNIQUE,
  findFirst: FIND,
  findFirstOrThrow: FIND,
  count: { ...PAGE, select: planCountAggregate },
  aggregate: { ...PAGE, ...AGGREGATES },
  groupBy: {
    by: planFieldNames,
    where: planWhere,
    having: planHaving,
    orderBy: planGroupOrder,
    take: planTake,
    skip: planCount,
    ...AGGREGATES,
  },
  create: { data: planCreateData, relationLoadStrategy },
  createMany: CREATE_MANY,
  createManyAndReturn: { ...CREATE_MANY, data: planReturnedRecords },
  update: { where: planUniqueWhere, data: planUpdateData, relationLoadStrategy },
  updateMany: UPDATE_MANY,
  updateManyAndReturn: { ...UPDATE_MANY, limit: planReturnedCount },
  upsert: { where: planUniqueWhere, create: planCreateData, update: planUpdateData, relationLoadStrategy },
  delete: { where: planUniqueWhere, relationLoadStrategy },
  deleteMany: { where: planWhere, limit: planCount },
};

const PLANNERS = new Map(Object.entries(ARGUMENT_PLANNERS).map(([name, planners]) => [name, new Map(Object.entries(planners))]));

/** The planners of an operation's arguments, by key; all but its selection. */
export function argumentPlanners(operation: RpcOperationName): ReadonlyMap<string, ArgumentPlanner> {
  return PLANNERS.get(operation) ?? new Map<string, ArgumentPlanner>();
}
