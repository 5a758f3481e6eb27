import { extendedOperations, extensionsOf } from '../executor/extensions-of.js';
import { schemaOfClient } from '../executor/lock-row.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';
import { delegateOf } from '../model/exposure/naming.js';
import { isObject } from '../utils/is-object.js';
import { logLostConnections } from './log-lost-connections.js';
import { OPERATIONS } from '../prisma/words.js';
import { PoolReads } from './pool-reads.js';
import type { SqlPool } from './sql-pool.js';
import type { IsComputed } from './scope.js';
import { type CarriedReads, type DeclinedSqlRead, SQL_READS, SqlReads } from './sql-reads.js';

/** How reads, and writes, are made in SQL. */
export interface SqlOptions extends SqlReadsOptions {
  /** Whether writes are SQL, too, on the pool. @default false */
  readonly writes?: boolean;
}

/** How reads are made in SQL. */
export interface SqlReadsOptions {
  /**
   * The `pg.Pool` that reads run on: the pool of Prisma's adapter, or another one for the same database. The connections that it loses are logged, by
   * a listener of its `error` event. Set its `statement_timeout` to at most
   * `limits.maxDuration`. Otherwise each read that may take long runs in a transaction that sets it.
   *
   * Without it, reads go through `prisma.$queryRawUnsafe`: this works with any adapter for PostgreSQL, but is slower.
   */
  readonly pool?: SqlPool;
  /** The schema of the tables that have no `@@schema`. @default the one that Prisma's adapter was given, else 'public' */
  readonly schema?: string;
  /** Called for each read that Prisma answers instead. */
  readonly onDecline?: (read: DeclinedSqlRead) => void;
}

/**
 * Makes both styles answer each read with one SQL statement, instead of by the Prisma client. Responses are the same, byte for byte.
 * Writes, your own calls of the client, and reads that are not compiled (`onDecline` says why) go through Prisma as before.
 *
 * A client that is extended afterwards reads through Prisma, so that its hooks run. If it only computes fields (`result`), reads of these fields do.
 *
 * @throws ConfigurationError for a client that was extended with query hooks before, and for another database than PostgreSQL
 * @example
 * const pool = new Pool({ connectionString: process.env['DATABASE_URL'], statement_timeout: 5_000 });
 * export const db = withSqlReads(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool });
 */
export function withSqlReads<Client extends object>(prisma: Client, options: SqlReadsOptions = {}): Client {
  return withSql(prisma, options);
}

/**
 * Makes both styles answer each read with one SQL statement, as {@link withSqlReads} does, and with `writes` each write of one table, too: a create,
 * an update, an upsert or a delete of a record, and a `createMany`, `updateMany` or `deleteMany` that answers a number or fields of the rows, then take
 * one round trip. So does a create of a record with others that hold its key. Writes that take several statements are one transaction of SQL: batches,
 * answers with related rows, and writes under row rules among them. What is stored, and what is answered, is the same. Other nested writes, and writes
 * with hooks or idempotency keys, go through Prisma (`onDecline` says why).
 *
 * @throws ConfigurationError for a client that was extended with query hooks before, for another database than PostgreSQL, and for
 *   `writes` without a pool, or with `relationMode = "prisma"`
 * @example
 * const pool = new Pool({ connectionString: process.env['DATABASE_URL'], statement_timeout: 5_000 });
 * export const db = withSql(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool, writes: true });
 */
export function withSql<Client extends object>(prisma: Client, { pool, schema, onDecline, writes = false }: SqlOptions = {}): Client {
  requirePostgresql(prisma);
  requireNoHooks(prisma);
  if (writes) requireWritable(prisma, pool);
  if (pool) logLostConnections(pool);
  const own = { pool: pool && new PoolReads(pool), schema: schema ?? schemaOf(prisma), onDecline: onDecline ?? (() => undefined) };
  return carryReads(prisma, new SqlReads({ ...own, writes, isComputed: computedBy(prisma) }));
}

/** Returns the client with SQL reads. What `$extends` makes of it has them, too, if it does no more than compute fields. */
function carryReads<Client extends object>(prisma: Client, reads: SqlReads): Client {
  const client = new Proxy(prisma, {
    get: (target, name): unknown => {
      if (name === SQL_READS) return carried;
      const value: unknown = Reflect.get(target, name, target);
      return name === '$extends' && typeof value === 'function' ? extend(value) : value;
    },
  });
  const extend =
    (method: object) =>
    (extension: unknown): unknown => {
      const extended: unknown = typeof method === 'function' ? Reflect.apply(method, client, [extension]) : undefined;
      if (!isObject(extended) || !computesOnly(extension)) return extended;
      return carryReads(extended, new SqlReads({ ...reads.setup, isComputed: computedBy(extended) }));
    };
  const carried: CarriedReads = { client, reads };
  return client;
}

function computesOnly(extension: unknown): boolean {
  return isObject(extension) && Object.keys(extension).every((part) => part === 'name' || part === 'result');
}

/** Which fields extensions of a client compute, new ones and those of the schema that they replace. */
function computedBy(prisma: object): IsComputed {
  const results = (extensionsOf(prisma) ?? []).map((extension) => memberOf(extension, 'result')).filter(isObject);
  const has = (model: unknown, field: string): boolean => isObject(model) && Object.hasOwn(model, field);
  return (model, field) => results.some((result) => has(result['$allModels'], field) || has(result[delegateOf(model)], field));
}

/** With `relationMode = "prisma"` there are no foreign keys, and Prisma does what they would do. */
function requireWritable(prisma: object, pool: SqlPool | undefined): void {
  if (!pool)
    throw new ConfigurationError(
      'withSql got writes and no pool.',
      'Give it the pg.Pool of the adapter: withSql(prisma, { pool, writes: true }).',
    );
  const text = ['_engineConfig', 'inlineSchema'].reduce<unknown>(memberOf, prisma);
  if (typeof text === 'string' && !/^\s*(?:relationMode|referentialIntegrity)\s*=\s*"prisma"/m.test(text)) return;
  throw new ConfigurationError(
    'withSql got writes and a client with relationMode = "prisma", or one that does not tell: there, Prisma does what foreign keys do elsewhere.',
    'Leave writes out.',
  );
}

/** Not documented by Prisma, but used by its own packages. */
function requirePostgresql(prisma: object): void {
  const provider = memberOf(prisma, '_activeProvider');
  if (provider === 'postgresql') return;
  throw new ConfigurationError(
    `withSqlReads got ${provider === undefined ? 'no Prisma client' : `a Prisma client for ${JSON.stringify(provider)}`}, and writes SQL for PostgreSQL alone.`,
    'Leave it out: without it, every read goes through the data client.',
  );
}

/**
 * Refuses extensions that SQL would bypass: query hooks, and methods that override those of Prisma. Methods that are added have no effect, and Prisma
 * answers reads of fields that a `result` extension computes.
 */
function requireNoHooks(prisma: object): void {
  const extensions = extensionsOf(prisma);
  if (extensions === undefined) throw hooked('a Prisma client that does not tell how it was extended');
  if (extensions.some((extension) => memberOf(extension, 'query') !== undefined))
    throw hooked('a client extended with `query`, which SQL would bypass');
  const overridden = extendedOperations(prisma)?.find(({ operation }) => OPERATIONS.some((name) => name === operation));
  if (overridden)
    throw hooked(`a client whose extension overrides ${overridden.model ?? ''}.${overridden.operation}, which SQL would bypass`);
  if (extensions.some((extension) => memberOf(memberOf(extension, 'client'), '$transaction') !== undefined))
    throw hooked('a client whose extension overrides $transaction, which SQL would bypass');
}

function hooked(what: string): ConfigurationError {
  return new ConfigurationError(
    `withSqlReads got ${what}.`,
    'Give it the Prisma client itself; extend what it returns, and those reads go through Prisma.',
  );
}

/** The schema of tables without `@@schema`. */
export function schemaOf(prisma: object): string {
  return schemaOfClient(prisma) ?? 'public';
}
