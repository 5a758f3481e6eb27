import type { Query } from '../query/query.js';
import type { ResultOf } from '../query/result.js';
import type { Executor, Transaction, TransactionOptions } from './executor.js';

/** How an executor is wrapped. All requests share these functions. Each call receives the context of its request, which has the wrapped executor. */
export interface ExecutorWrapper<Context extends { readonly host: Executor }> {
  readonly run: <Q extends Query>(context: Context, query: Q) => Promise<ResultOf<Q>>;
  /** Runs work in a transaction of the wrapped executor. The work receives a context with the executor of that transaction. */
  readonly transact: <Result>(
    context: Context,
    transaction: Transaction,
    work: (inner: Context) => Promise<Result>,
    options: TransactionOptions | undefined,
  ) => Promise<Result>;
  /** Returns other members that replace those of the wrapped executor. */
  readonly others?: (context: Context) => Pick<Executor, 'sql' | 'lock' | 'client'>;
}

/** Wraps the executor of a context, and in the same way the executors of its transactions. */
export function wrapExecutor<Context extends { readonly host: Executor }>(context: Context, wrapper: ExecutorWrapper<Context>): Executor {
  const { transaction, sql, lock, client } = context.host;
  return {
    run: (query) => wrapper.run(context, query),
    transaction:
      transaction && ((work, options) => wrapper.transact(context, transaction, (inner) => work(wrapExecutor(inner, wrapper)), options)),
    sql,
    lock,
    client,
    ...wrapper.others?.(context),
  };
}
