import type { ActionRenderer, ActionRunner } from '../actions/action-runner.service.js';
import type { ActionMethod } from '../actions/action.js';
import { ApiError, type Problem } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Resource } from '../model/surface/surface.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import type { UniqueCondition } from '../query/condition.js';
import type { Fault } from '../validation/record-check.js';
import { type ArgumentObject, parseArgument, parseSearch, requireAbsent } from './parse-argument.js';
import { requireVerb, type RpcCall } from './parse-rpc-call.js';
import { planRpcCall } from './plan-rpc-call.js';
import { rpcActionRequirement } from './requirement.js';
import { renderRpcResult } from './render-rpc-result.js';
import { RPC_OPERATIONS } from './protocol/rpc-operations.js';
import type { RpcSettings } from '../options/rpc-settings.js';

/** The services that run actions in RPC. */
export interface RpcActions {
  readonly actions: ActionRunner;
  readonly model: ResourceModel;
  readonly limits: Limits;
  readonly settings: RpcSettings;
}

/** Executes an action: `POST /<model>/<action>` with `{ where, args }`. */
export async function runRpcAction(
  { resource, action }: { readonly resource: Resource; readonly action: ActionMethod },
  request: ApiRequest,
  context: RpcActions,
): Promise<ApiReply> {
  requireVerb({ name: action.name, verbs: ['POST'] }, request.method);
  requireRight(resource, action);
  const { where, args, ...others } = readArgument(action.name, request);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(action, `has no argument '${cut(unknown)}': there are where and args.`, cut(unknown));
  const key = planRecordKey({ resource, operation: RPC_OPERATIONS.findUnique, args: { where } }, action, context);
  const requirement = rpcActionRequirement(request, { resource, action, where: key });
  const body = await context.actions.check(action, args, toProblem);
  return context.actions.run({ action, request, requirement, body, ...(key && { where: key }) }, actionRenderer(resource, context));
}

/** Returns the argument of an action. An action without an argument needs no body. */
function readArgument(name: string, request: ApiRequest): ArgumentObject {
  if (request.hasBody) return parseArgument({ name, input: 'body' }, request);
  requireAbsent(parseSearch(request.search), name);
  return {};
}

function requireRight({ actions, delegate }: Resource, { right }: ActionMethod): void {
  if (!actions.has(right)) throw new ApiError('forbidden', `${delegate} is closed to '${right}' here.`);
}

/** Returns the key of the record; undefined for an action on the collection. */
function planRecordKey(call: RpcCall, action: ActionMethod, { limits, model }: RpcActions): UniqueCondition | undefined {
  const isGiven = call.args['where'] !== undefined;
  if (action.on === 'collection') {
    if (isGiven) throw invalid(action, 'is about no record: leave where out.', 'where');
    return undefined;
  }
  if (!isGiven) throw invalid(action, 'is about one record: where is missing.', 'where');
  const { query } = planRpcCall(call, limits, model.storage);
  return query.kind === 'find-unique' ? query.where : undefined;
}

function invalid({ name }: ActionMethod, problem: string, path: string): ApiError {
  return new ApiError('invalid-payload', `${name} ${problem}`, { path });
}

function actionRenderer(resource: Resource, { limits, model, settings }: RpcActions): ActionRenderer {
  const call: RpcCall = { resource, operation: RPC_OPERATIONS.findFirst, args: {} };
  const { query } = planRpcCall(call, limits, model.storage);
  if (query.kind !== 'find') throw new TypeError('To read a record is a find.');
  const { model: stored, selection } = query;
  return {
    plan: (where) => ({ kind: 'call', call: { query: { kind: 'find-unique', model: stored, where, selection, isRequired: false } } }),
    row: (result) => renderRpcResult(call, { query, result }, settings),
    data: (value) => ({ status: 200, body: { data: value ?? null } }),
  };
}

function toProblem({ path, message }: Fault): Problem {
  const place = ['args', ...path].map((key) => cut(String(key))).join('.');
  return { code: 'validation-error', detail: `${place}: ${message}`, path: place, fault: message };
}
