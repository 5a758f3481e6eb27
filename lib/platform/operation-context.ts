import type { ExecutionContext } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { requestContextOf } from './request-context.js';
import type { ResourceOperation } from './resource-operation.js';
import { createDerived } from '../utils/create-derived.js';

/** @internal The metadata key that marks the entry classes of a mount with their style. */
export const STYLE_METADATA = 'nestjs-resource-api:style';

/**
 * Returns the operation of the current request, for a guard, an interceptor or a pipe.
 *
 * @returns undefined on a route of another module or controller, which a global guard also receives
 * @throws ApiError `invalid-path` on a route of this module if the request has no context
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
  // A route of this module without a request context is unexpected. It is rejected, so that a guard does not treat it as another route.
  if (reading === undefined) throw new ApiError('invalid-path', 'There is nothing at this path.');
  return reading.operation;
}

/** @internal Returns the same context for one operation of a batch. */
export function contextOfOperation(context: ExecutionContext, operation: ResourceOperation): ExecutionContext {
  return createDerived(context, { [AT_HAND]: { value: operation } });
}

// A global symbol, because a guard may import the other copy of this package (CommonJS or ES module).
const AT_HAND: unique symbol = Symbol.for('nestjs-resource-api: operation at hand');

type OperationContext = ExecutionContext & { readonly [AT_HAND]?: ResourceOperation };
