import { restrictedClient } from './client-with-deadline.js';
import type { Executor } from './executor.js';
import { NO_TIMEOUT, OperationScope } from './operation-scope.js';
import type { AbortCheck } from './deadline.js';
import { type ExecutorWrapper, wrapExecutor } from './wrap-executor.js';

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
          const scope = new OperationScope(() => new Error('The transaction of this request has ended.'));
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
