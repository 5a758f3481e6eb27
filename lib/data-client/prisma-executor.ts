import { printQuery } from '../prisma/print-query.js';
import type { DataClient } from './data-client.js';
import type { Executor, TransactionOptions } from './executor.js';
import { isPlainClient } from './is-plain-client.js';

/**
 * Asks a client of Prisma's API: the one place where queries are printed as its arguments, and its answers are taken for what these select.
 *
 * @param onOpen is told the client of each transaction that begins
 */
export function prismaExecutor(client: DataClient, onOpen?: (open: DataClient) => void): Executor {
  const sql = methodOf(client, '$queryRawUnsafe');
  const transaction = methodOf(client, '$transaction');
  return {
    run: async (query) => {
      const { delegate, operation, args } = printQuery(query, isPlainClient(client));
      const method = methodOf(Reflect.get(client, delegate), operation);
      if (method === undefined) throw new TypeError(`The data client has no ${delegate}.${operation}().`);
      return method(args);
    },
    ...(transaction && {
      transaction: (work, options?: TransactionOptions) => {
        const whole = (open: DataClient): Promise<unknown> => {
          onOpen?.(open);
          return work(prismaExecutor(open));
        };
        return transaction(whole, ...(options ? [options] : []));
      },
    }),
    ...(sql && { sql: (text, values) => sql(text, ...values) }),
    client: () => client,
  };
}

type Method = <Result>(...given: readonly unknown[]) => Promise<Result>;

function methodOf(owner: unknown, name: string): Method | undefined {
  // The delegates of a test's fake may be functions.
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) return undefined;
  const method: unknown = Reflect.get(owner, name);
  if (typeof method !== 'function') return undefined;
  return <Result>(...given: readonly unknown[]) => Reflect.apply(method, owner, given) as Promise<Result>;
}
