import type { CallersBinding } from './callers-client.js';

type Start = (binding: CallersBinding) => Promise<unknown>;

const starts = new WeakMap<object, Start>();

/** A call that begins when it is first awaited, as Prisma's do, or in the array of a `$transaction`. */
export function hostCall(binding: CallersBinding, start: Start): PromiseLike<unknown> & Pick<Promise<unknown>, 'catch' | 'finally'> {
  let begun: Promise<unknown> | undefined;
  const begin = (): Promise<unknown> => (begun ??= start(binding));
  const call = {
    then: ((onFulfilled, onRejected) => begin().then(onFulfilled, onRejected)) as Promise<unknown>['then'],
    catch: ((onRejected) => begin().catch(onRejected)) as Promise<unknown>['catch'],
    finally: ((onFinally) => begin().finally(onFinally)) as Promise<unknown>['finally'],
    [Symbol.toStringTag]: 'PrismaPromise',
  };
  starts.set(call, start);
  return call;
}

/** Begins a call of a caller's client on the client of a transaction. */
export async function beginIn(call: unknown, binding: CallersBinding): Promise<unknown> {
  const start = typeof call === 'object' && call !== null ? starts.get(call) : undefined;
  if (!start) throw new TypeError('$transaction takes calls of this client alone.');
  return start(binding);
}
