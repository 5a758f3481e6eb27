import type { Prisma } from './generated/prisma/client.js';
import type { StatementLog } from './statement-log.js';

/** What the Prisma client takes as `adapter`. */
export type AdapterFactory = NonNullable<Prisma.PrismaClientOptions['adapter']>;

type Adapter = Awaited<ReturnType<AdapterFactory['connect']>>;
type Queryable = Pick<Adapter, 'queryRaw' | 'executeRaw'>;
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;

/**
 * Returns a driver adapter that logs every statement that it passes to the driver, `BEGIN`, `COMMIT` and `ROLLBACK` included. The query log of
 * the Prisma client differs from these.
 */
export function loggedAdapter(factory: AdapterFactory, log: StatementLog): AdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      return override(adapter, {
        ...loggedQueries(adapter, log),
        startTransaction: async (isolationLevel) => {
          const transaction = await adapter.startTransaction(isolationLevel);
          log.add('BEGIN');
          return loggedTransaction(transaction, log);
        },
      });
    },
  };
}

/** Prisma sends a `COMMIT` to adapters without a "phantom" query, and calls the method alone on the others. */
function loggedTransaction(transaction: Transaction, log: StatementLog): Transaction {
  const phantom = transaction.options.usePhantomQuery;
  return override(transaction, {
    ...loggedQueries(transaction, log),
    commit: () => {
      if (phantom) log.add('COMMIT');
      return transaction.commit();
    },
    rollback: () => {
      if (phantom) log.add('ROLLBACK');
      return transaction.rollback();
    },
  });
}

function loggedQueries(queryable: Queryable, log: StatementLog): Queryable {
  return {
    queryRaw: (query) => {
      log.add(query.sql);
      return queryable.queryRaw(query);
    },
    executeRaw: (query) => {
      log.add(query.sql);
      return queryable.executeRaw(query);
    },
  };
}

/** The same object with some methods replaced; the rest keeps its own `this`. */
function override<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, property) {
      const value: unknown = Reflect.get(Object.hasOwn(methods, property) ? methods : target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
