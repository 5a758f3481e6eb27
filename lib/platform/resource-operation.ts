import type { ExecutionContext } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import type { Action } from '../model/surface/surface.js';
import { exchangeOf } from './exchange.js';
import type { ApiStyle } from './style.js';

/** @internal Marks the entry classes of a mount with their style. */
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
 * Tells a guard, an interceptor or a pipe of this module's routes what the current request does.
 *
 * @returns undefined on a route that is not this module's, so that a global guard can tell them apart
 * @example
 * canActivate(context: ExecutionContext): boolean {
 *   const operation = resourceOperation(context);
 *   return operation?.action === 'read' || isAdmin(context);
 * }
 */
export function resourceOperation(context: ExecutionContext): ResourceOperation | undefined {
  if (Reflect.getMetadata(STYLE_METADATA, context.getClass()) === undefined) return undefined;
  const { [AT_HAND]: atHand } = context as OperationContext;
  if (atHand !== undefined) return atHand;
  const reading = exchangeOf(context.switchToHttp().getRequest<object>())?.reading;
  // One of our routes without our request: unexpected, so fail rather than let a guard treat it as the host's own.
  if (reading === undefined) throw new ApiError('invalid-path', 'There is nothing at this path.');
  return reading.operation;
}

/** @internal The same context, about one operation of its batch. */
export function contextOfOperation(context: ExecutionContext, operation: ResourceOperation): ExecutionContext {
  return Object.create(context, { [AT_HAND]: { value: operation } }) as ExecutionContext;
}

// The context carries it: a guard may ask the other copy of this package, CommonJS or ES module.
const AT_HAND: unique symbol = Symbol.for('nestjs-resource-api: operation at hand');

type OperationContext = ExecutionContext & { readonly [AT_HAND]?: ResourceOperation };
