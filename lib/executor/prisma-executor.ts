import { memberOf } from '../errors/member-of.js';
import { printQuery } from '../prisma/print-query.js';
import { countSeparately, hasLongCounts } from './loading/long-counts.js';
import type { DataClient } from './data-client.js';
import type { Executor, TransactionOptions } from './executor.js';
import { extendedOperations, isPlainClient } from './client/extensions-of.js';
import { lockRow, schemaOfClient } from './lock-row.js';
import { isOpenTransaction } from './transactions.js';
import { endOfTick } from './yield-to-event-loop.js';

/** Options of {@link prismaExecutor}. */
export interface PrismaExecutorOptions {
  /** Called with the client of each transaction that begins. */
  readonly onOpen?: (open: DataClient) => void;
  /** Whether Prisma may batch the `findUnique` of this executor with those of other requests. @default false */
  readonly batchesFinds?: boolean;
}

/**
 * Executes queries on a Prisma client, or one with the same API. This is the only place where queries are printed as Prisma's arguments.
 *
 * Prisma batches the `findUnique` of one tick, and runs the batch in the asynchronous context of the first. So each `findUnique` outside of a
 * transaction starts in a separate `setImmediate` callback: Node.js runs Prisma's `process.nextTick` before the next of these. Hooks of the
 * application (`$extends`) may await one promise and then call Prisma in one tick: {@link withTicks}.
 */
export function prismaExecutor(client: DataClient, { onOpen, batchesFinds = false }: PrismaExecutorOptions = {}): Executor {
  const sql = methodOf(client, '$queryRawUnsafe');
  const transaction = methodOf(client, '$transaction');
  const joins = joinsRelations(client);
  const executor: Executor = {
    run: async (query) => {
      if (hasLongCounts(query)) return countSeparately(executor, query);
      const { delegate, operation, args } = printQuery(query, { leavesOut: isPlainClient(client), joins });
      const isAlone = query.kind === 'find-unique' && !batchesFinds && !isOpenTransaction(client);
      const method = methodOf(Reflect.get(isAlone ? withTicks(client) : client, delegate), operation);
      if (method === undefined) throw new TypeError(`The data client has no ${delegate}.${operation}().`);
      if (isAlone) await endOfTick();
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
    ...(sql && {
      sql: (text, values) => sql(text, ...values),
      lock: async (row, provider) => {
        const statement = lockRow(row, { provider, schema: schemaOfClient(client) });
        if (statement) await sql(statement.text, ...statement.values);
      },
    }),
    client: () => client,
  };
  return executor;
}

/**
 * Returns a client whose `findUnique` wait for a separate tick after the last hook of the application. A client without such hooks is returned as it
 * is. Nothing is cached, because a Proxy may return another client each time.
 */
function withTicks(client: DataClient): DataClient {
  const hooks = extendedOperations(client)?.some(({ part }) => part === 'query');
  const extend: unknown = hooks ? memberOf(client, '$extends') : undefined;
  return typeof extend === 'function' ? (Reflect.apply(extend, client, [OWN_TICK]) as DataClient) : client;
}

const awaitTick = async ({
  args,
  query,
}: {
  readonly args: unknown;
  readonly query: (args: unknown) => Promise<unknown>;
}): Promise<unknown> => {
  await endOfTick();
  return query(args);
};

/** Prisma runs the hooks of the newest extension last. */
const OWN_TICK = { name: 'own tick', query: { $allModels: { findUnique: awaitTick, findUniqueOrThrow: awaitTick } } } as const;

/** Whether a client reads relations by a join unless a query requests otherwise: it has the preview feature `relationJoins`. */
export function joinsRelations(client: DataClient): boolean {
  const features = ['_engineConfig', 'previewFeatures'].reduce<unknown>(memberOf, client);
  return Array.isArray(features) && features.includes('relationJoins');
}

type Method = <Result>(...given: readonly unknown[]) => Promise<Result>;

function methodOf(owner: unknown, name: string): Method | undefined {
  // The delegates of a test's fake may be functions.
  if ((typeof owner !== 'object' && typeof owner !== 'function') || owner === null) return undefined;
  const method: unknown = Reflect.get(owner, name);
  if (typeof method !== 'function') return undefined;
  return <Result>(...given: readonly unknown[]) => Reflect.apply(method, owner, given) as Promise<Result>;
}
