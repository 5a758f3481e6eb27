import type { DataClient } from './data-client.js';
import { NO_TIMEOUT, OperationScope } from './operation-scope.js';
import type { AbortCheck } from './deadline.js';

/**
 * Wraps the data client of one request: it starts no call after the deadline, or after the client has disconnected. An open transaction is rolled
 * back when its current operation ends. Prisma's own timeout of transactions is disabled.
 *
 * The wrapper has what plans call: the operations of delegates, `$transaction` with a function, and raw SQL.
 */
export function clientWithDeadline(client: DataClient, waiting: AbortCheck): DataClient {
  return restrictedClient(client, waiting, (start) => start());
}

type Start = <Result>(start: () => PromiseLike<Result>) => PromiseLike<Result>;
type Method = (...given: readonly unknown[]) => PromiseLike<unknown>;
type Work = (open: DataClient) => Promise<unknown>;

/**
 * Wraps a data client so that a function starts each of its calls.
 *
 * @param run starts each call
 */
export function restrictedClient(client: DataClient, waiting: AbortCheck, run: Start): DataClient {
  const methodOf = (owner: object, method: Method): Method => {
    return async (...given) => {
      waiting.throwIfAborted();
      return run(() => Reflect.apply(method, owner, given));
    };
  };
  return members((name) => {
    const member: unknown = Reflect.get(client, name);
    if (name === '$transaction') return isMethod(member) ? transactionIn(client, member, waiting) : undefined;
    if (typeof name === 'string' && name.startsWith('$')) return isMethod(member) ? methodOf(client, member) : member;
    return isOwner(member) ? members((operation) => methodIn(member, operation, methodOf)) : member;
  });
}

function methodIn(delegate: object, operation: PropertyKey, methodOf: (owner: object, method: Method) => Method): unknown {
  const member: unknown = Reflect.get(delegate, operation);
  return isMethod(member) ? methodOf(delegate, member) : member;
}

function transactionIn(client: DataClient, transaction: Method, waiting: AbortCheck): Method {
  return (work, options) => {
    const whole: Work = (open) => {
      const scope = new OperationScope(() => new Error('The transaction of this request has ended.'));
      return scope.finish(() => (work as Work)(restrictedClient(open, waiting, (start) => scope.run(start))));
    };
    return Reflect.apply(transaction, client, [whole, { ...(options as object | undefined), timeout: NO_TIMEOUT }]);
  };
}

/** Returns an object whose members are resolved when they are accessed. */
function members(find: (name: PropertyKey) => unknown): object {
  return new Proxy(Object.freeze({}), { get: (_, name): unknown => find(name) });
}

function isMethod(member: unknown): member is Method {
  return typeof member === 'function';
}

/** Whether a member is a delegate. Delegates are objects; those of a test's fake may be functions. */
function isOwner(member: unknown): member is object {
  return typeof member === 'function' || (typeof member === 'object' && member !== null);
}
