import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { isObservable, lastValueFrom } from 'rxjs';
import { REGISTRATION } from '../resource-api.constants.js';
import type { Registration } from '../resource-api.module-definition.js';
import { contextIdOf } from './context-id.js';
import { exchangeOf } from './exchange.js';
import { contextOfOperation, type ResourceOperation } from './resource-operation.js';

/**
 * Runs the module's guards on a batch: all of them for its first operation, then for the next, each with a context whose
 * {@link resourceOperation} is that operation, so that a guard need not know of batches. The first refusal refuses the batch.
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
    const operations = operationsOf(request);
    const guards = await this.guardsOf(request);
    for (const operation of operations) {
      const own = contextOfOperation(context, operation);
      for (const guard of guards) {
        if (!(await allows(guard, own))) return false;
      }
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

function operationsOf(request: object): readonly ResourceOperation[] {
  const reading = exchangeOf(request)?.reading;
  if (reading === undefined) throw new TypeError('A batch guard stands before batches only.');
  if (reading.refusal) throw reading.refusal;
  const { batch = [] } = reading.operation;
  return batch.length > 0 ? batch : [reading.operation];
}

/** As Nest asks a guard: its answer may come at once, as a promise or as the last value of an observable. */
async function allows(guard: CanActivate, context: ExecutionContext): Promise<boolean> {
  const answer = await guard.canActivate(context);
  return isObservable(answer) ? lastValueFrom(answer) : answer;
}
