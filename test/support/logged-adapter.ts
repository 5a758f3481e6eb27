import { type PrismaPg } from '@prisma/adapter-pg';
import { type StatementLog } from './statement-log.js';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Queryable = Pick<Adapter, 'queryRaw' | 'executeRaw'>;
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;

/** What `PrismaPg` and `PrismaPGlite` have in common. */
export interface AdapterFactory {
  readonly provider: 'postgres';
  readonly adapterName: string;
  connect(): Promise<SqlAdapter>;
}

type SqlAdapter = Pick<Adapter, 'provider' | 'adapterName' | 'queryRaw' | 'executeRaw' | 'executeScript' | 'dispose' | 'startTransaction'> &
  Partial<Pick<Adapter, 'getConnectionInfo'>>;

/**
 * A driver adapter that notes every statement on its way to the driver, `BEGIN`, `COMMIT` and `ROLLBACK` included: what the database
 * is really asked, rather than what the Prisma client says that it asks.
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

/** Adapters without a "phantom" query are told to `COMMIT` by a statement of their own; the others by the method alone. */
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
