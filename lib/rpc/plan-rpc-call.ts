import type { DataCall } from '../executor/plan.js';
import { type CallCost, findExcess } from '../limits/cost.js';
import { measureCost } from '../limits/measure-cost.js';
import { ApiError } from '../errors/api-error.js';
import { givenEntries } from '../model/given-entries.js';
import type { ApiRequest } from '../http/api-request.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Storage } from '../model/storage/storage.js';
import { storedField, storedModel } from '../model/storage/stored-model.js';
import type { Resource } from '../model/surface/surface.js';
import { AGGREGATE_FUNCTIONS } from '../prisma/words.js';
import type { Query } from '../query/query.js';
import type { Selection } from '../query/selection.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { ArgumentPath, type Budget, startBudget } from './arguments/argument-path.js';
import { isGiven, planSelection, SELECTION_KEYS } from './arguments/plan-selection.js';
import { requireAction } from './arguments/require-action.js';
import { isReturned } from './arguments/is-returned.js';
import { assembleQuery, type PlannedArguments } from './assemble-query.js';
import { parseRpcCall, type RpcCall, type RpcPath } from './parse-rpc-call.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';
import { cacheByText, LONG_TEXT } from '../utils/second-chance-cache.js';
import { argumentsOf } from './arguments/plan-arguments.js';
import { returnsWrittenRows, type RpcOperation, takesSelection } from './protocol/rpc-operations.js';
import { type Order, type OrderTerm, withoutRepeats } from '../query/order.js';
import type { GroupBy } from '../query/read.js';
import { cutPage, orderPage } from './arguments/plan-page.js';
import type { Condition } from '../query/condition.js';
import { limitRelated, takeOneMore } from '../limits/limit-related.js';

/**
 * Plans an RPC call as one call of the data client. Every key of the argument must be exposed by the resource and accepted by the operation,
 * and every value is parsed by its type. Unknown input therefore never reaches the data client.
 *
 * @throws ApiError with the path of the invalid key, before any SQL
 */
export function planRpcCall(call: RpcCall, limits: Limits, storage: Storage): DataCall {
  return planDataCall(call, startBudget(limits, storage));
}

/** A parsed call, and its plan. */
export interface PlannedRpcCall {
  readonly call: RpcCall;
  readonly planned: DataCall;
}

/**
 * Parses and plans the call of a request. Reads with a short query string are cached by its text, because clients repeat them.
 *
 * @throws ApiError as {@link parseRpcCall} and {@link planRpcCall} do
 */
export function planRpcRequest(model: ResourceModel, path: RpcPath, request: ApiRequest, limits: Limits): PlannedRpcCall {
  const { method, hasBody, search } = request;
  const isRepeated = method === 'GET' && !hasBody && search.length <= LONG_TEXT;
  if (!isRepeated) return planRequest(model, path, request, limits);
  const cached = cachedCalls(limits)(model);
  // The key is unambiguous: it begins with the lengths of its first two parts.
  const key = `${path.model.length} ${path.operation.length} ${path.model}${path.operation}${search}`;
  let call = cached.get(key);
  if (!call) {
    call = planRequest(model, path, request, limits);
    cached.set(key, call);
  }
  return call;
}

const cachedCalls = memoizeByObject((_: Limits) => memoizeByObject((_model: ResourceModel) => cacheByText<PlannedRpcCall>()));

function planRequest(model: ResourceModel, path: RpcPath, request: ApiRequest, limits: Limits): PlannedRpcCall {
  const call = parseRpcCall(model, path, request);
  return { call, planned: planRpcCall(call, limits, model.storage) };
}

/**
 * Plans one of several RPC calls, as {@link planRpcCall} does.
 *
 * @param budget the limits that all calls of the request share
 */
export function planDataCall(call: RpcCall, budget: Budget): DataCall {
  const { resource, operation, args } = call;
  requireOffered(operation, resource);
  const path = ArgumentPath.root(budget, `${resource.delegate}.${operation.name}`, resource.database);
  for (const action of operation.actions) requireAction(resource, action, path);
  requireArguments(operation, args, path);
  const query = planQuery(call, path);
  const cost = measureCost(query);
  requireAffordable(isGiven(args['include']) ? asInclude(cost) : cost, budget);
  return limitRows(resource, query, path);
}

function planQuery(call: RpcCall, path: ArgumentPath): Query {
  const { resource, operation } = call;
  const planned = planArguments(call, path);
  if (operation.result === 'aggregate') requireAggregate(planned, path);
  const selection = takesSelection(operation) ? planResult(call, path) : undefined;
  const query = assembleQuery(operation.name, planned, { model: storedModel(path.storage, resource.model), selection });
  if (query.kind === 'group-by') checkGroups(query, path);
  return breakTies(resource, query, path);
}

/** Rejects a call if the cost of the request, with the calls before it, exceeds the limits. */
function requireAffordable(cost: CallCost, { costs, limits }: Budget): void {
  costs.push(cost);
  const excess = findExcess(costs, limits);
  if (excess) throw new ApiError('limit-exceeded', excess.detail);
}

/** Renames the cost of `select` to `include`, because the error message must name the argument that the client has used. */
function asInclude({ select, ...others }: CallCost): CallCost {
  return select ? { ...others, include: select } : others;
}

function requireOffered({ name, lackedBy }: RpcOperation, { database: { provider } }: Resource): void {
  if (lackedBy?.includes(provider)) throw new ApiError('invalid-path', `The database (${provider}) has no operation '${name}'.`);
}

function requireArguments({ name, required }: RpcOperation, args: RpcCall['args'], path: ArgumentPath): void {
  const missing = required.find((key) => args[key] === undefined);
  if (missing === undefined) return;
  const hint = missing === 'where' && name.includes('Many') ? '; write {} to mean all records' : '';
  path.member(missing).refuse(`is missing${hint}.`);
}

function requireAggregate(planned: PlannedArguments, path: ArgumentPath): void {
  if (AGGREGATE_FUNCTIONS.every((name) => planned[name] === undefined))
    path.refuse(`needs at least one of ${AGGREGATE_FUNCTIONS.join(', ')}.`);
}

function planArguments({ resource, operation, args }: RpcCall, path: ArgumentPath): PlannedArguments {
  const known = argumentsOf(operation.name);
  const planned: Record<string, unknown> = {};
  for (const [key, value] of givenEntries(args)) {
    const argument = known.get(key);
    if (argument) planned[key] = argument.plan(resource, value, path.member(key));
    else if (!takesSelection(operation) || !SELECTION_KEYS.has(key)) path.member(key).refuseUnknown(operation.arguments);
  }
  // The planner of each argument returns the value of the member with the same name.
  return planned;
}

function planResult({ resource, operation, args }: RpcCall, path: ArgumentPath): Selection {
  if (!resource.actions.has('read')) return planReceipt(resource, args, path);
  const selection = planSelection(resource, args, path);
  if (!returnsWrittenRows(operation)) return selection;
  requireReturned(resource, selection, selectionPath(args, path));
  if (changesNothing(args['data']) && selection.members.some(({ kind }) => kind === 'one')) {
    path.member('data').refuse('must change a field where relations are returned.');
  }
  return selection;
}

function changesNothing(data: unknown): boolean {
  return isPlainObject(data) && givenEntries(data).length === 0;
}

function selectionPath(args: RpcCall['args'], path: ArgumentPath): ArgumentPath {
  return path.member(isGiven(args['select']) ? 'select' : 'include');
}

function requireReturned(resource: Resource, { members }: Selection, path: ArgumentPath): void {
  for (const member of members) {
    const name = member.kind === 'field' ? member.field.name : 'relation' in member ? member.relation.name : '_count';
    if (member.kind !== 'computed' && !isReturned(resource.fields.get(name))) {
      path.member(name).refuse('is not returned by a write of many records.', 'invalid-fields');
    }
  }
}

/** Plans the result of a create on a model that may be created and not read: the key alone. */
function planReceipt(resource: Resource, args: RpcCall['args'], path: ArgumentPath): Selection {
  const selectionKey = [...SELECTION_KEYS].find((key) => isGiven(args[key]));
  const key = resource.identifier.fields.filter(({ rights }) => rights.read);
  if (selectionKey !== undefined || key.length === 0)
    requireAction(resource, 'read', selectionKey === undefined ? path : path.member(selectionKey));
  const members = key.map((attribute) => ({ kind: 'field', field: storedField(path.storage, attribute) }) as const);
  return { kind: 'selection', model: storedModel(path.storage, resource.model), members };
}

/**
 * Completes the order of a query that reads a page of rows or groups, if the order has ties. Pages of one order then do not overlap, and together
 * contain every row.
 *
 * @throws ApiError if rows without a key have no order
 */
function breakTies(resource: Resource, query: Query, path: ArgumentPath): Query {
  if (query.kind === 'group-by') return withOrder(query, orderGroups(query));
  return 'order' in query ? withOrder(query, orderPage(resource, query, path)) : query;
}

function withOrder<Ordered extends { readonly order: Order }>(query: Ordered, order: Order): Ordered {
  return order === query.order ? query : { ...query, order };
}

/** Completes the order of groups by the fields of `by`, which identify a group. */
function orderGroups({ by, order, page: { take, skip } }: GroupBy): Order {
  if (order.length === 0 || (take === undefined && skip === undefined)) return order;
  const fields = by.map((field) => ({ kind: 'field-term', path: [], field, direction: 'asc' }) as const);
  return withoutRepeats([...order, ...fields]);
}

/**
 * Checks that `having` and `orderBy` of a `groupBy` name only aggregates and fields of `by`, because a group has no other values. A page of groups
 * must have an order, because otherwise its groups would be arbitrary.
 *
 * @throws ApiError `invalid-filter` or `invalid-sort` with the path of the field
 */
function checkGroups({ by, having, order, page }: GroupBy, path: ArgumentPath): void {
  checkHaving(having, by, path.member('having'));
  const place = path.member('orderBy');
  for (const term of order) if (isStrange(term, by)) place.member(term.field.name).refuse(NOT_GROUPED, 'invalid-sort');
  const cut = (['take', 'skip'] as const).find((name) => page[name] !== undefined);
  if (cut !== undefined && order.length === 0) place.refuse(`is missing: '${cut}' needs an order of the groups.`, 'invalid-sort');
}

/** Checks that every field that `having` compares without an aggregate function is a field of `by`. */
function checkHaving(condition: Condition, by: GroupBy['by'], path: ArgumentPath): void {
  if ('conditions' in condition) {
    const place = condition.kind === 'or' ? path.member('OR') : path;
    for (const one of condition.conditions) checkHaving(one, by, place);
  } else if (condition.kind === 'not') checkHaving(condition.condition, by, path.member('NOT'));
  else if ('field' in condition && !('aggregate' in condition) && !by.includes(condition.field)) {
    path.member(condition.field.name).refuse(NOT_GROUPED, 'invalid-filter');
  }
}

function isStrange(term: OrderTerm, by: GroupBy['by']): term is OrderTerm & { readonly kind: 'field-term' } {
  return term.kind === 'field-term' && !by.includes(term.field);
}

const NOT_GROUPED = "is not among the fields of 'by': only those and aggregates have a value for each group.";

/**
 * Enforces `limits.maxTake` on the result of a call (public API, section 4). Results are never truncated: the query reads one row more, and the call
 * fails if there is one. The limit applies to the rows of the result, and to the sum of related rows.
 */
function limitRows(resource: Resource, query: Query, path: ArgumentPath): DataCall {
  const { maxTake } = path;
  const limit = openLimitOf(query);
  const limited = limit === undefined ? query : cut(resource, query, path);
  const detail = `${path.text} found more rows than limits.maxTake allows: ${maxTake}. Ask for fewer with ${limit ?? 'take'}.`;
  const mayAddUp = path.isBatch && 'selection' in query;
  const expect = limitRelated(limited, { rows: maxTake, problem: { code: 'limit-exceeded', detail } }, limit !== undefined || mayAddUp);
  return { query: limited, ...(expect && { expect }) };
}

/** Returns the argument with which the client could have limited the rows, if it has not done so. */
function openLimitOf(query: Query): 'take' | 'limit' | undefined {
  if (query.kind === 'update-many') return query.selection && query.limit === undefined ? 'limit' : undefined;
  const returnsAll = query.kind === 'group-by' || (query.kind === 'find' && query.rows === 'many');
  return returnsAll && query.page.take === undefined ? 'take' : undefined;
}

function cut(resource: Resource, query: Query, path: ArgumentPath): Query {
  const { maxTake } = path;
  if (query.kind === 'find') return { ...query, ...cutPage(resource, query, path) };
  // Writes get no limit. Prisma would put it into a subquery, whose conditions the database does not evaluate again after a concurrent change of a
  // row.
  return query.kind === 'group-by' ? cutGroups(query, maxTake) : query;
}

/** Limits the groups. Because Prisma needs an order for this, groups are ordered by their fields unless the client gives an order. */
function cutGroups(query: GroupBy, maxTake: number): GroupBy {
  const limit = takeOneMore(maxTake);
  if (limit.take === undefined) return query;
  const fields = query.by.map((field) => ({ kind: 'field-term', path: [], field, direction: 'asc' }) as const);
  return { ...query, order: query.order.length > 0 ? query.order : fields, page: { ...query.page, ...limit } };
}
