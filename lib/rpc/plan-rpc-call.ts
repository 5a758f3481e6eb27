import type { CallPlan, DataCall } from '../data-client/plan.js';
import { findExcess } from '../cost/find-excess.js';
import { measureCost } from '../cost/measure-cost.js';
import { ApiError } from '../errors/api-error.js';
import { givenEntries } from '../model/given-entries.js';
import type { Limits } from '../model/limits.js';
import type { Storage } from '../model/storage/storage.js';
import type { Resource } from '../model/surface/surface.js';
import { AGGREGATES } from './arguments/aggregates.js';
import { type Budget, startBudget } from './arguments/budget.js';
import { checkGroups } from './arguments/check-groups.js';
import { planSelection, type Selection, SELECTION_KEYS } from './arguments/plan-selection.js';
import { requireAction } from './arguments/require-action.js';
import { ArgumentPath } from './arguments/argument-path.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { isReturned } from './arguments/is-returned.js';
import { limitRows } from './limit-rows.js';
import type { RpcCall } from './parse-rpc-call.js';
import { argumentsOf } from './plan-arguments.js';
import { returnsWrittenRows, type RpcOperation, takesSelection } from './rpc-operations.js';

/**
 * Plans an RPC call: meaning becomes the arguments of the data client. Every key of the argument is looked up in the tables of what the
 * resource shows and the operation takes, and every value is read by its type, so that unknown input never reaches the data client.
 *
 * @throws ApiError with the path of the offending key, before any SQL
 */
export function planRpcCall(call: RpcCall, limits: Limits, storage?: Storage): CallPlan {
  return { kind: 'call', call: planDataCall(call, startBudget(limits, { storage })) };
}

/**
 * The one data client call that an RPC call becomes.
 *
 * @param budget of the request, which may have other calls
 */
export function planDataCall({ resource, operation, args }: RpcCall, budget: Budget): DataCall {
  requireOffered(operation, resource);
  const path = ArgumentPath.root(budget, `${resource.delegate}.${operation.name}`, resource.database);
  for (const action of operation.actions) requireAction(resource, action, path);
  requireArguments(operation, args, path);
  const planned = { ...planArguments({ resource, operation, args }, path), ...planResult({ resource, operation, args }, path) };
  if (operation.result === 'aggregate') requireAggregate(planned, path);
  if (operation.result === 'groups') checkGroups(resource, planned, path);
  requireAffordable(resource, isGiven(args['include']) ? asInclude(planned) : planned, budget);
  return { delegate: resource.delegate, operation: operation.name, ...limitRows({ resource, operation, args: planned }, path) };
}

/** Refuses what is more than a request may ask for, together with the calls before it. */
function requireAffordable(resource: Resource, planned: RpcCall['args'], { costs, limits }: Budget): void {
  costs.push(measureCost(resource, planned));
  const excess = findExcess(costs, limits);
  if (excess) throw new ApiError('limit-exceeded', excess.detail);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The arguments with what comes back under the name that the client gave it, for error texts. */
function asInclude({ select, ...others }: RpcCall['args']): RpcCall['args'] {
  return { ...others, include: select };
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

function requireAggregate(planned: RpcCall['args'], path: ArgumentPath): void {
  const names = [...AGGREGATES.keys()];
  if (names.every((name) => planned[name] === undefined)) path.refuse(`needs at least one of ${names.join(', ')}.`);
}

function planArguments({ resource, operation, args }: RpcCall, path: ArgumentPath): Record<string, unknown> {
  const known = argumentsOf(operation.name);
  const planned: Record<string, unknown> = {};
  for (const [key, value] of givenEntries(args)) {
    const argument = known.get(key);
    if (argument) planned[key] = argument.plan(resource, value, path.member(key));
    else if (!takesSelection(operation) || !SELECTION_KEYS.has(key)) path.member(key).refuseUnknown(operation.arguments);
  }
  return planned;
}

function planResult({ resource, operation, args }: RpcCall, path: ArgumentPath): Selection {
  if (!takesSelection(operation)) return {};
  if (!resource.actions.has('read')) return planReceipt(resource, args, path);
  const planned = planSelection(resource, args, path);
  if (!returnsWrittenRows(operation)) return planned;
  requireReturned(resource, planned.select, selectionPath(args, path));
  if (changesNothing(args['data']) && selectsRelation(resource, planned.select)) {
    path.member('data').refuse('must change a field where relations are returned.');
  }
  return planned;
}

function changesNothing(data: unknown): boolean {
  return isPlainObject(data) && givenEntries(data).length === 0;
}

function selectsRelation({ relationships }: Resource, select: Readonly<Record<string, unknown>>): boolean {
  return relationships.some(({ name }) => select[name] !== undefined && select[name] !== false);
}

function selectionPath(args: RpcCall['args'], path: ArgumentPath): ArgumentPath {
  return path.member(isGiven(args['select']) ? 'select' : 'include');
}

function requireReturned(resource: Resource, select: Readonly<Record<string, unknown>>, path: ArgumentPath): void {
  for (const name of Object.keys(select).filter((key) => select[key] !== false)) {
    if (!isReturned(resource.fields.get(name))) path.member(name).refuse('is not returned by a write of many records.', 'invalid-fields');
  }
}

/** What a create answers on a model that may be created and not read: the key alone. */
function planReceipt(resource: Resource, args: RpcCall['args'], path: ArgumentPath): Selection {
  const asked = [...SELECTION_KEYS].find((key) => isGiven(args[key]));
  const key = resource.identifier.fields.filter(({ rights }) => rights.read);
  if (asked !== undefined || key.length === 0) requireAction(resource, 'read', asked === undefined ? path : path.member(asked));
  return { select: Object.fromEntries(key.map(({ name }) => [name, true])) };
}
