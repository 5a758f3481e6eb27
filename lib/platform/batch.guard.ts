import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import { isObservable, lastValueFrom } from 'rxjs';
import { type Limits } from '../model/limits.js';
import { LIMITS, REGISTRATION } from '../resource-api.constants.js';
import { type Registration } from '../resource-api.module-definition.js';
import { requireBatchSize } from '../rpc/plan-rpc-batch.js';
import { contextOfOperation, type ResourceOperation, resourceOperation } from './resource-operation.js';

/**
 * Runs the module's guards on a batch: all of them for its first operation, then for the next, each with a context whose
 * {@link resourceOperation} is that operation, so that a guard need not know of batches. The first refusal refuses the batch.
 *
 * A batch without operations, or one that cannot be read, is shown to the guards as it is: nobody gets past them by sending nothing.
 */
@Injectable()
export class BatchGuard implements CanActivate {
  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(REGISTRATION) private readonly registration: Registration,
    @Inject(LIMITS) private readonly limits: Limits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const guards = await this.guardsOf(context);
    for (const operation of this.operationsOf(context)) {
      const own = contextOfOperation(context, operation);
      for (const guard of guards) {
        if (!(await allows(guard, own))) return false;
      }
    }
    return true;
  }

  private operationsOf(context: ExecutionContext): readonly ResourceOperation[] {
    const operation = resourceOperation(context);
    if (operation === undefined) throw new TypeError('A batch guard stands before batches only.');
    const { batch = [] } = operation;
    requireBatchSize(batch.length, this.limits);
    return batch.length > 0 ? batch : [operation];
  }

  /** Nest has made instances of the classes for the other RPC routes, `overrideGuard` included; those of narrower scope are made here. */
  private guardsOf(context: ExecutionContext): Promise<readonly CanActivate[]> {
    const request = context.switchToHttp().getRequest<object>();
    const contextId = ContextIdFactory.getByRequest(request);
    this.moduleRef.registerRequestByContextId(request, contextId);
    return Promise.all(
      this.registration.guards.map(async (guard) =>
        typeof guard === 'function' ? this.moduleRef.resolve<CanActivate>(guard, contextId, { strict: true }) : guard,
      ),
    );
  }
}

/** As Nest asks a guard: its answer may come at once, as a promise or as the last value of an observable. */
async function allows(guard: CanActivate, context: ExecutionContext): Promise<boolean> {
  const answer = await guard.canActivate(context);
  return isObservable(answer) ? lastValueFrom(answer) : answer;
}
