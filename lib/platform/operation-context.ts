import type { ExecutionContext } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { requestContextOf } from './request-context.js';
import type { ResourceOperation } from './resource-operation.js';
import { inheriting } from '../utils/inheriting.js';

/** @internal Marks the entry classes of a mount with their style. */
export const STYLE_METADATA = 'nestjs-resource-api:style';

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
  const { [AT_HAND]: atHand }: OperationContext = context;
  if (atHand !== undefined) return atHand;
  const reading = requestContextOf(context.switchToHttp().getRequest<object>())?.reading;
  // One of our routes without our request: unexpected, so fail rather than let a guard treat it as the host's own.
  if (reading === undefined) throw new ApiError('invalid-path', 'There is nothing at this path.');
  return reading.operation;
}

/** @internal The same context, about one operation of its batch. */
export function contextOfOperation(context: ExecutionContext, operation: ResourceOperation): ExecutionContext {
  return inheriting(context, { [AT_HAND]: { value: operation } });
}

// The context carries it: a guard may ask the other copy of this package, CommonJS or ES module.
const AT_HAND: unique symbol = Symbol.for('nestjs-resource-api: operation at hand');

type OperationContext = ExecutionContext & { readonly [AT_HAND]?: ResourceOperation };
