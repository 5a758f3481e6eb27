import { type CallPlan, type DataCall } from '../data-client/plan.js';
import { ApiError } from '../errors/api-error.js';
import { givenEntries } from '../model/given-entries.js';
import { type Limits } from '../model/limits.js';
import { type Resource } from '../model/resource-model.js';
import { planSelection, type Selection, SELECTION_KEYS } from './arguments/plan-selection.js';
import { requireAction } from './arguments/require-action.js';
import { Spot } from './arguments/spot.js';
import { limitRows } from './limit-rows.js';
import { type RpcCall } from './parse-rpc-call.js';
import { argumentPlanners } from './plan-arguments.js';
import { type RpcOperation } from './rpc-operations.js';

/**
 * Plans an RPC call: meaning becomes the arguments of the data client. Every key of the argument is looked up in the tables of what the
 * resource shows and the operation takes, and every value read by its type, so that nothing passes that nobody has thought of.
 *
 * @throws ApiError with the path of the offending key, before any SQL
 */
export function planRpcCall(call: RpcCall, limits: Limits): CallPlan {
  const planned = planDataCall(call, limits);
  return { kind: 'call', call: planned, ...(planned.expect && isWrite(call.operation) && { undo: true }) };
}

function isWrite({ actions }: RpcOperation): boolean {
  return !actions.includes('read');
}

/** The one call of the data client that an RPC call stands for. */
export function planDataCall({ resource, operation, args }: RpcCall, limits: Limits): DataCall {
  requireOffered(operation, resource);
  const spot = Spot.root(limits, `${resource.delegate}.${operation.name}`);
  for (const action of operation.actions) requireAction(resource, action, spot);
  requireArguments(operation, args, spot);
  const planned = { ...planArguments({ resource, operation, args }, spot), ...planResult({ resource, operation, args }, spot) };
  return { delegate: resource.delegate, operation: operation.name, ...limitRows({ resource, operation, args: planned }, spot) };
}

function requireOffered({ name, lackedBy }: RpcOperation, { database: { provider } }: Resource): void {
  if (lackedBy?.includes(provider)) throw new ApiError('invalid-path', `The database (${provider}) has no operation '${name}'.`);
}

function requireArguments({ name, required }: RpcOperation, args: RpcCall['args'], spot: Spot): void {
  const missing = required.find((key) => args[key] === undefined);
  if (missing === undefined) return;
  const hint = missing === 'where' && name.includes('Many') ? '; write {} to mean all records' : '';
  spot.member(missing).refuse(`is missing${hint}.`);
}

function planArguments({ resource, operation, args }: RpcCall, spot: Spot): Record<string, unknown> {
  const planners = argumentPlanners(operation.name);
  const planned: Record<string, unknown> = {};
  for (const [key, value] of givenEntries(args)) {
    const plan = planners.get(key);
    if (plan) planned[key] = plan(resource, value, spot.member(key));
    else if (!takesSelection(operation) || !SELECTION_KEYS.has(key)) spot.member(key).refuseUnknown(operation.arguments);
  }
  return planned;
}

function takesSelection({ arguments: keys }: RpcOperation): boolean {
  return keys.includes('omit');
}

function planResult({ resource, operation, args }: RpcCall, spot: Spot): Selection {
  if (!takesSelection(operation)) return {};
  return resource.actions.has('read') ? planSelection(resource, args, spot) : planReceipt(resource, args, spot);
}

/** What a create answers on a model that may be created and not read: the key alone. */
function planReceipt(resource: Resource, args: RpcCall['args'], spot: Spot): Selection {
  const asked = [...SELECTION_KEYS].find((key) => args[key] !== undefined && args[key] !== null);
  const key = resource.identifier.fields.filter(({ rights }) => rights.read);
  if (asked !== undefined || key.length === 0) requireAction(resource, 'read', asked === undefined ? spot : spot.member(asked));
  return { select: Object.fromEntries(key.map(({ name }) => [name, true])) };
}
