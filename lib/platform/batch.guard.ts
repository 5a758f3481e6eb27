import { type CanActivate, type ExecutionContext, ForbiddenException, Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { isObservable, lastValueFrom } from 'rxjs';
import { ExplainedError } from '../errors/explained-error.js';
import { REGISTRATION } from '../options/tokens.js';
import type { Registration } from '../options/registration.js';
import { contextIdOf } from './context-id.js';
import { requestContextOf } from './request-context.js';
import type { ResourceOperation } from './resource-operation.js';
import { contextOfOperation } from './operation-context.js';
import type { Style } from './style.js';

/**
 * Runs the guards of the module once for each operation of a batch, in order. Each time, {@link resourceOperation} of the context returns
 * that operation, so that a guard needs no code for batches. The first refusal rejects the batch, and its error names the operation.
 *
 * A batch that is empty or unreadable also runs the guards, so that it cannot bypass them.
 */
@Injectable()
export class BatchGuard implements CanActivate {
  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(REGISTRATION) private readonly registration: Registration,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<object>();
    const { operations, style } = batchOf(request);
    const guards = await this.guardsOf(request);
    for (const [index, operation] of operations.entries()) {
      const own = contextOfOperation(context, operation);
      await requireAllowed(guards, own).catch((refusal: unknown) => {
        throw style.atOperation === undefined
          ? refusal
          : new ExplainedError((error) => style.atOperation?.(error, index) ?? error, refusal);
      });
    }
    return true;
  }

  /**
   * Returns the instances of the guards. Nest has created those of default scope for the other RPC routes, with `overrideGuard` applied.
   * `resolve` creates those of a narrower scope.
   */
  private guardsOf(request: object): Promise<readonly CanActivate[]> {
    return Promise.all(
      this.registration.guards.map(async (guard) =>
        typeof guard === 'function'
          ? this.moduleRef.resolve<CanActivate>(guard, contextIdOf(request, this.moduleRef), { strict: true })
          : guard,
      ),
    );
  }
}

function batchOf(request: object): { readonly operations: readonly ResourceOperation[]; readonly style: Style } {
  const requestContext = requestContextOf(request);
  if (requestContext?.reading === undefined) throw new TypeError('A batch guard is for batches only.');
  const { point, reading } = requestContext;
  if (reading.refusal) throw reading.refusal;
  const { batch = [] } = reading.operation;
  return { operations: batch.length > 0 ? batch : [reading.operation], style: point.style };
}

/**
 * Runs guards in order.
 *
 * @throws what a guard throws, or Nest's `ForbiddenException` if one returns false
 */
async function requireAllowed(guards: readonly CanActivate[], context: ExecutionContext): Promise<void> {
  for (const guard of guards) if (!(await allows(guard, context))) throw new ForbiddenException('Forbidden resource');
}

/** Runs a guard as Nest does: it may return a boolean, a promise, or an observable whose last value counts. */
async function allows(guard: CanActivate, context: ExecutionContext): Promise<boolean> {
  const answer = await guard.canActivate(context);
  return isObservable(answer) ? lastValueFrom(answer) : answer;
}
