import { ApiError } from '../errors/api-error.js';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import { MAX_TIMER } from '../utils/max-timer.js';
import type { DataClient } from './data-client.js';
import { NO_TIMEOUT, OperationScope } from './operation-scope.js';
import type { Executor } from './executor.js';

/** The check that aborts work early. Work calls it before each query, and before the commit. */
export interface AbortCheck {
  /**
   * Checks the deadline and the connection of the client.
   *
   * @throws ApiError `unavailable` when the deadline has passed, or the client has disconnected
   */
  throwIfAborted(): void;
}

/** The deadline of one request, which its work polls, and whether a write of the request may be stored. */
export class Deadline implements AbortCheck {
  #late: ApiError | undefined;
  #mayBeStored = false;

  constructor(private readonly request: Connected = {}) {}

  throwIfAborted(): void {
    if (this.#late) throw this.#late;
    if (this.request.isGone?.() === true) throw new ApiError('unavailable', 'The client has closed its connection.');
  }

  /** Called before a commit, or when a writing statement is sent. From then on, the write may be stored. */
  beginCommit(): void {
    this.#mayBeStored = true;
  }

  /** Called when the database has rejected the write after {@link beginCommit}. */
  cancelCommit(): void {
    this.#mayBeStored = false;
  }

  /** Ends the time of the work. Returns the error of the request. */
  expire(maxDuration: number): Error {
    const detail = `This request took longer than limits.maxDuration allows: ${maxDuration} ms. Ask for less, or try again later.`;
    this.#late = new ApiError('unavailable', detail, { headers: { 'Retry-After': '1' } });
    return this.error ?? this.#late;
  }

  /** The error of the request once its deadline has passed; undefined before. */
  get error(): Error | undefined {
    return this.#late && this.#mayBeStored ? new UnknownOutcomeError(this.#late) : this.#late;
  }
}

/** A request whose client may disconnect. */
interface Connected {
  /** Whether the client has closed its connection. */
  readonly isGone?: () => boolean;
}

/** The time limit of a request. */
interface TimeLimit {
  /** Milliseconds, or Infinity. */
  readonly maxDuration: number;
  readonly request: Connected;
  /**
   * Whether late work is awaited until its next check of the deadline. This is for transactions of the application, which continues as soon as the
   * result is there.
   */
  readonly isAwaited: boolean;
}

/**
 * Returns the result of work that ends before its deadline. After the deadline, the promise rejects without waiting for the work, unless `isAwaited`
 * is set. If only the client has disconnected, the work is aborted but still awaited.
 *
 * Work polls the deadline, because an `AbortController` and a listener on the connection cost too much for each request.
 *
 * @throws ApiError `unavailable` after the deadline, or UnknownOutcomeError if a write may be stored by then
 */
export function withDeadline<Result>(
  { maxDuration, request, isAwaited }: TimeLimit,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const deadline = new Deadline(request);
  return new Promise<Result>((resolve, reject) => {
    const expire = (): void => {
      const error = deadline.expire(maxDuration);
      if (!isAwaited) reject(error);
    };
    const timer = maxDuration <= MAX_TIMER ? setTimeout(expire, maxDuration) : undefined;
    work(deadline).then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- It is what the work was rejected with.
        reject(deadline.error ?? error);
      },
    );
  });
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
    const whole: Work = (open) => inScope((scope) => (work as Work)(restrictedClient(open, waiting, (start) => scope.run(start))));
    return Reflect.apply(transaction, client, [whole, { ...(options as object | undefined), timeout: NO_TIMEOUT }]);
  };
}

/** Runs work in the scope of a new transaction of the request. */
function inScope<Result>(work: (scope: OperationScope) => Promise<Result>): Promise<Result> {
  return new OperationScope(() => new Error('The transaction of this request has ended.')).finish(work);
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
export function executorWithDeadline(executor: Executor, waiting: AbortCheck, scope?: OperationScope): Executor {
  const begin = async <Result>(start: () => PromiseLike<Result>): Promise<Result> => {
    waiting.throwIfAborted();
    return scope ? scope.run(start) : start();
  };
  const { transaction, sql, lock, client } = executor;
  return {
    run: (query) => begin(() => executor.run(query)),
    transaction:
      transaction &&
      ((work, options) =>
        begin(() =>
          transaction((open) => inScope((own) => work(executorWithDeadline(open, waiting, own))), { ...options, timeout: NO_TIMEOUT }),
        )),
    sql: sql && ((text, values) => begin(() => sql(text, values))),
    lock: lock && ((row, provider) => begin(() => lock(row, provider))),
    client: client && (() => restrictedClient(client(), waiting, begin)),
  };
}
