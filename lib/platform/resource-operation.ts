import { type ExecutionContext } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { type Action, type ResourceModel } from '../model/resource-model.js';
import { type PlatformRequest } from '../resource-api.options.js';
import { type ApiStyle } from '../resource-api.module-definition.js';
import { type RestEndpointKind, restOperation } from '../rest/rest-endpoints.js';
import { findOperation, RPC_BATCH } from '../rpc/rpc-operations.js';
import { methodOf } from './api-requests.js';

/** @internal Marks the controllers of a mount with their style. */
export const STYLE_METADATA = 'nestjs-resource-api:style';

/** What a request to this module is about, as a guard needs it. */
export interface ResourceOperation {
  readonly style: ApiStyle;
  /** Prisma's name of the model in the path; undefined when the path names no exposed one, or is a batch's. */
  readonly model: string | undefined;
  /** REST: the endpoint's operation, e.g. `fetchCollection`; RPC: the data client's, e.g. `findMany`, or `$transaction/sequential`. */
  readonly operation: string | undefined;
  /** What the operation does to the model; undefined when nothing of that name exists. */
  readonly action: Action | undefined;
  /** All that it may do: `upsert` creates or updates. A guard that allows by action must allow each. */
  readonly actions: readonly Action[];
  /** REST only: the relationship in the path, as the client wrote it. */
  readonly relationship?: string;
  /**
   * RPC batches only: the operations in order, as a global guard, an interceptor or a pipe sees them. A global guard must check each. The
   * guards of the module (option `guards`) run once per operation and see that operation in place of the batch.
   */
  readonly batch?: readonly ResourceOperation[];
}

/**
 * Tells a guard, an interceptor or a pipe of this module's routes what the request at hand does.
 *
 * @returns undefined on a route that is not this module's, so that a global guard can tell them apart
 * @example
 * canActivate(context: ExecutionContext): boolean {
 *   const operation = resourceOperation(context);
 *   return operation?.action === 'read' || isAdmin(context);
 * }
 */
export function resourceOperation(context: ExecutionContext): ResourceOperation | undefined {
  const style = Reflect.getMetadata(STYLE_METADATA, context.getClass()) as ApiStyle | undefined;
  if (style === undefined) return undefined;
  const atHand = operationsAtHand.get(context);
  if (atHand !== undefined) return atHand;
  const request = context.switchToHttp().getRequest<RoutedRequest>();
  const model = claims.get(request.raw ?? request)?.model;
  // The router took the path for ours and we did not: whatever it is, no guard may take it for the host's own.
  if (model === undefined) throw new ApiError('invalid-path', 'There is nothing at this path.');
  const handler = context.getHandler().name;
  if (style === 'rest') return ofRest(handler, request, model);
  return handler === BATCH_HANDLER ? ofBatch(request.body, model) : ofRpc(request, model);
}

/** @internal The method of the controller that answers batches. */
const BATCH_HANDLER = 'sequential';

/** @internal The same context, about one operation of its batch. */
export function contextOfOperation(context: ExecutionContext, operation: ResourceOperation): ExecutionContext {
  const own = Object.create(context) as ExecutionContext;
  operationsAtHand.set(own, operation);
  return own;
}

/** @internal What a mount knows of a request below it. */
export interface Claim {
  readonly model: ResourceModel;
  readonly prefix: string;
}

/** @internal Marks a request as served by a mount, before any guard runs; the longest prefix wins. `raw` is Node's own request. */
export function claimRequest(raw: object, claim: Claim): void {
  const other = claims.get(raw);
  if (other === undefined || other.prefix.length <= claim.prefix.length) claims.set(raw, claim);
}

type RoutedRequest = PlatformRequest & {
  readonly raw?: object;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** Contexts that are about one operation of a batch. */
const operationsAtHand = new WeakMap<ExecutionContext, ResourceOperation>();

/** By request, so that several applications and mounts in one process stay apart. */
const claims = new WeakMap<object, Claim>();

function ofRest(handler: string, request: RoutedRequest, model: ResourceModel): ResourceOperation {
  const { type = '', relationship } = request.params ?? {};
  const found = restOperation(handler as RestEndpointKind, methodOf(request));
  return {
    style: 'rest',
    model: model.byType.get(type.toLowerCase())?.model,
    operation: found?.operation,
    action: found?.action,
    actions: found ? [found.action] : [],
    ...(relationship !== undefined && { relationship }),
  };
}

function ofRpc({ params }: RoutedRequest, model: ResourceModel): ResourceOperation {
  const { model: name = '', operation = '' } = params ?? {};
  return rpcOperationOf(name, operation, model);
}

function ofBatch(body: unknown, model: ResourceModel): ResourceOperation {
  const batch = batchEntries(body).map((entry) => batchOperationOf(entry, model));
  return { style: 'rpc', model: undefined, operation: `${RPC_BATCH.model}/${RPC_BATCH.name}`, action: undefined, actions: [], batch };
}

/** A list, or the array-like object with metadata beside its elements. What is neither is refused after the guards, and has none. */
function batchEntries(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  const entries = Object.entries(typeof body === 'object' && body !== null ? body : {});
  return entries.filter(([key]) => key !== 'meta').map(([, entry]) => entry as unknown);
}

function batchOperationOf(entry: unknown, model: ResourceModel): ResourceOperation {
  const { model: name, op } = (entry ?? {}) as { readonly model?: unknown; readonly op?: unknown };
  return rpcOperationOf(String(name), String(op), model);
}

function rpcOperationOf(name: string, operation: string, model: ResourceModel): ResourceOperation {
  const known = findOperation(operation);
  const actions = known?.actions ?? [];
  return { style: 'rpc', model: model.byDelegate.get(name.toLowerCase())?.model, operation: known?.name, action: actions[0], actions };
}
