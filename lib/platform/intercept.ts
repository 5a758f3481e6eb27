import { AsyncResource } from 'node:async_hooks';
import type { ExecutionContext, NestInterceptor } from '@nestjs/common';
import { defer, from, lastValueFrom, mergeAll, type Observable } from 'rxjs';

/**
 * Runs interceptors around an operation, the first outermost, as Nest does.
 *
 * @returns what the first gives
 */
export function intercept<Value>(
  interceptors: readonly NestInterceptor<unknown, Value>[],
  context: ExecutionContext,
  run: () => Promise<Value>,
): Promise<Value> {
  const handle = (index: number): Observable<Value> => {
    const interceptor = interceptors[index];
    // Whoever subscribes, and whenever: the async context of the previous interceptor applies.
    if (interceptor === undefined) return defer(AsyncResource.bind(run));
    const start = async (): Promise<Observable<Value>> => interceptor.intercept(context, { handle: () => handle(index + 1) });
    return defer(AsyncResource.bind(() => from(start()).pipe(mergeAll())));
  };
  return lastValueFrom(handle(0));
}
