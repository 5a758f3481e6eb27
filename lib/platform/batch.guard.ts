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
 * Runs the module's guards on a batch: all of them for its first operation, then for the next, each with a context whose
 * {@link resourceOperation} is that operation, so that a guard needs no code for batches. The first refusal refuses the batch, and its error names
 * the operation.
 *
 * A batch that is empty or cannot be read runs through the guards too: sending nothing does not bypass them.
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

  /** Nest has made instances of the classes for the other RPC routes, `overrideGuard` included; those of narrower scope are made here. */
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
  const exchange = requestContextOf(request);
  if (exchange?.reading === undefined) throw new TypeError('A batch guard is for batches only.');
  const { point, reading } = exchange;
  if (reading.refusal) throw reading.refusal;
  const { batch = [] } = reading.operation;
  return { operations: batch.length > 0 ? batch : [reading.operation], style: point.style };
}

/** @throws what a guard throws, and Nest's own refusal where one returns false */
async function requireAllowed(guards: readonly CanActivate[], context: ExecutionContext): Promise<void> {
  for (const guard of guards) if (!(await allows(guard, context))) throw new ForbiddenException('Forbidden resource');
}

/** Runs a guard as Nest does: it may return a boolean, a promise, or an observable whose last value counts. */
async function allows(guard: CanActivate, context: ExecutionContext): Promise<boolean> {
  const answer = await guard.canActivate(context);
  return isObservable(answer) ? lastValueFrom(answer) : answer;
}
