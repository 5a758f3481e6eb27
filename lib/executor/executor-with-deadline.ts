import { restrictedClient } from './client-with-deadline.js';
import type { Executor } from './executor.js';
import { NO_TIMEOUT, OperationScope } from './operation-scope.js';
import type { AbortCheck } from './deadline.js';

/**
 * Wraps the executor of one request: it starts no query after the deadline, or after the client has disconnected. An open transaction is rolled back
 * when its current query ends. The data client's own timeout of transactions is disabled.
 */
export function executorWithDeadline(executor: Executor, waiting: AbortCheck): Executor {
  return restricted(executor, waiting, async (start) => start());
}

type Start = <Result>(start: () => PromiseLike<Result>) => Promise<Result>;

function restricted(executor: Executor, waiting: AbortCheck, within: Start): Executor {
  const { transaction, sql, lock, client } = executor;
  const start: Start = async (begin) => {
    waiting.throwIfAborted();
    return within(begin);
  };
  return {
    run: (query) => start(() => executor.run(query)),
    ...(transaction && {
      transaction: (work, options) => {
        return start(() =>
          transaction(
            (open) => {
              const scope = new OperationScope(() => new Error('The transaction of this request has ended.'));
              return scope.finish(() => work(restricted(open, waiting, (begin) => scope.run(begin))));
            },
            { ...options, timeout: NO_TIMEOUT },
          ),
        );
      },
    }),
    ...(sql && { sql: (text, values) => start(() => sql(text, values)) }),
    ...(lock && { lock: (row, provider) => start(() => lock(row, provider)) }),
    ...(client && { client: () => restrictedClient(client(), waiting, start) }),
  };
}
