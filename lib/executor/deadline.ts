import { ApiError } from '../errors/api-error.js';
import { MAX_TIMER } from '../utils/max-timer.js';
import type { DataClient } from './data-client.js';
import { NO_TIMEOUT, OperationScope } from './operation-scope.js';
import type { Executor } from './executor.js';
import { type ExecutorWrapper, wrapExecutor } from './wrap-executor.js';

/** The time limit of work, and how it ends. */
export interface Deadline {
  /** Milliseconds, or Infinity. */
  readonly maxDuration: number;
  /** Whether the client has closed its connection. */
  readonly isGone?: (() => boolean) | undefined;
  /** Converts the error `unavailable` into the error of the request. */
  readonly explain: (late: ApiError) => Error;
  /**
   * Whether late work is awaited until its next check of the deadline. This is for transactions of the application, which continues as soon as the
   * result is there.
   */
  readonly isAwaited?: boolean;
}

/** The check that aborts work early. Work calls it before each query, and before the commit. */
export interface AbortCheck {
  /**
   * Checks the deadline and the connection of the client.
   *
   * @throws ApiError `unavailable` when the deadline has passed, or the client has disconnected
   */
  readonly throwIfAborted: () => void;
}

/**
 * Returns the result of work that ends before its deadline. After the deadline, the promise rejects without waiting for the work, unless `isAwaited`
 * is set. If only the client has disconnected, the work is aborted but still awaited.
 *
 * Work polls the check, because an `AbortController` and a listener on the connection cost too much for each request.
 *
 * @throws the error that `explain` returns for the error `unavailable`
 */
export function withDeadline<Result>(
  { maxDuration, isGone, explain, isAwaited = false }: Deadline,
  work: (waiting: AbortCheck) => Promise<Result>,
): Promise<Result> {
  return new Promise<Result>((resolve, reject) => {
    let late: ApiError | undefined;
    const expire = (): void => {
      late = lateError(maxDuration);
      if (!isAwaited) reject(explain(late));
    };
    const timer = maxDuration <= MAX_TIMER ? setTimeout(expire, maxDuration) : undefined;
    const throwIfAborted = (): void => {
      if (late) throw late;
      if (isGone?.() === true) throw new ApiError('unavailable', 'The client has closed its connection.');
    };
    work({ throwIfAborted }).then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- It is what the work was rejected with.
        reject(late ? explain(late) : error);
      },
    );
  });
}

function lateError(maxDuration: number): ApiError {
  const detail = `This request took longer than limits.maxDuration allows: ${maxDuration} ms. Ask for less, or try again later.`;
  return new ApiError('unavailable', detail, { headers: { 'Retry-After': '1' } });
}

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
      const scope = scopeOfRequest();
      return scope.finish(() => (work as Work)(restrictedClient(open, waiting, (start) => scope.run(start))));
    };
    return Reflect.apply(transaction, client, [whole, { ...(options as object | undefined), timeout: NO_TIMEOUT }]);
  };
}

function scopeOfRequest(): OperationScope {
  return new OperationScope(() => new Error('The transaction of this request has ended.'));
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

/**
 * Wraps the executor of one request: it starts no query after the deadline, or after the client has disconnected. An open transaction is rolled back
 * when its current query ends. The data client's own timeout of transactions is disabled.
 */
export function executorWithDeadline(host: Executor, waiting: AbortCheck): Executor {
  return wrapExecutor<Limited>({ host, waiting, scope: undefined }, DEADLINE);
}

interface Limited {
  readonly host: Executor;
  readonly waiting: AbortCheck;
  /** The scope of the transaction; undefined outside of a transaction. */
  readonly scope: OperationScope | undefined;
}

const DEADLINE: ExecutorWrapper<Limited> = {
  run: (limited, query) => start(limited, () => limited.host.run(query)),
  transact: (limited, transaction, work, options) => {
    return start(limited, () =>
      transaction(
        (host) => {
          const scope = scopeOfRequest();
          return scope.finish(() => work({ ...limited, host, scope }));
        },
        { ...options, timeout: NO_TIMEOUT },
      ),
    );
  },
  others: (limited) => {
    const { sql, lock, client } = limited.host;
    return {
      sql: sql && ((text, values) => start(limited, () => sql(text, values))),
      lock: lock && ((row, provider) => start(limited, () => lock(row, provider))),
      client: client && (() => restrictedClient(client(), limited.waiting, (begin) => start(limited, begin))),
    };
  },
};

async function start<Result>({ waiting, scope }: Limited, begin: () => PromiseLike<Result>): Promise<Result> {
  waiting.throwIfAborted();
  return scope ? scope.run(begin) : begin();
}
