import { extendedOperations, extensionsOf } from '../executor/client/extensions-of.js';
import { schemaOfClient } from '../executor/lock-row.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';
import { delegateOf } from '../model/schema/delegate-of.js';
import { isObject } from '../utils/is-object.js';
import { logLostConnections } from './log-lost-connections.js';
import { DELEGATE_OPERATIONS } from '../prisma/words.js';
import { PoolReads } from './pool-reads.js';
import type { SqlPool } from './sql-pool.js';
import type { IsComputed } from './scope.js';
import { type CarriedSql, type DeclinedSqlRead, CARRIED_SQL, type SqlMaker, ClientSql } from './client-sql.js';

/** The options of {@link withSql}: those of reads, and whether writes are SQL, too. */
export interface SqlOptions extends SqlReadsOptions {
  /** Whether writes are executed as SQL on the pool, too. @default false */
  readonly writes?: boolean;
}

/** The options of {@link withSqlReads}. */
export interface SqlReadsOptions {
  /**
   * The `pg.Pool` that reads run on: the pool of Prisma's adapter, or another one for the same database. A listener of its `error` event logs the
   * connections that it loses.
   *
   * Set its `statement_timeout` to at most `limits.maxDuration`. Otherwise each read that may take long runs in a transaction that sets it.
   *
   * Without a pool, reads go through `prisma.$queryRawUnsafe`: this works with any adapter for PostgreSQL, but is slower.
   */
  readonly pool?: SqlPool;
  /** The schema of the tables that have no `@@schema`. @default the one that Prisma's adapter was given, else 'public' */
  readonly schema?: string;
  /** Called for each read that Prisma executes instead, with the reason. */
  readonly onDecline?: (read: DeclinedSqlRead) => void;
}

/**
 * Returns a client with which REST and RPC execute each read as one SQL statement. Responses are the same, byte for byte.
 *
 * Writes, your own calls of the client, and reads that do not compile to SQL still go through Prisma. `onDecline` receives the reason for each of
 * those reads.
 *
 * If you extend the returned client, its reads go through Prisma, so that the hooks of the extension run. If the extension only computes fields
 * (`result`), only reads of these fields do.
 *
 * @throws ConfigurationError for a client that was extended with query hooks before, and for another database than PostgreSQL
 * @example
 * const pool = new Pool({ connectionString: process.env['DATABASE_URL'], statement_timeout: 5_000 });
 * export const db = withSqlReads(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool });
 */
export function withSqlReads<Client extends object>(prisma: Client, options: SqlReadsOptions = {}): Client {
  return createClient(prisma, options, 'withSqlReads');
}

/**
 * Returns a client with which REST and RPC execute each read as one SQL statement, as {@link withSqlReads} does, and with `writes` most writes, too.
 *
 * A create, update, upsert or delete of one record is one statement, and takes one round trip. So is a `createMany`, `updateMany` or `deleteMany`
 * that returns a number or fields of its rows. So is a create with nested creates of records that reference it.
 *
 * Writes of several statements run in one SQL transaction: for example batches, writes that return related rows, and writes under row rules. Stored
 * values and results are the same as with Prisma.
 *
 * Other nested writes, and writes with hooks or idempotency keys, go through Prisma. `onDecline` receives the reason.
 *
 * @throws ConfigurationError for a client that was extended with query hooks before, for another database than PostgreSQL, and for
 *   `writes` without a pool, or with `relationMode = "prisma"`
 * @example
 * const pool = new Pool({ connectionString: process.env['DATABASE_URL'], statement_timeout: 5_000 });
 * export const db = withSql(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool, writes: true });
 */
export function withSql<Client extends object>(prisma: Client, options: SqlOptions = {}): Client {
  return createClient(prisma, options, 'withSql');
}

function createClient<Client extends object>(prisma: Client, options: SqlOptions, maker: SqlMaker): Client {
  const { pool, schema, onDecline, writes = false } = options;
  requirePostgresql(prisma, maker);
  requireNoHooks(prisma, maker);
  if (writes) requireWritable(prisma, pool);
  if (pool) logLostConnections(pool);
  const own = { pool: pool && new PoolReads(pool), schema: schema ?? defaultSchemaOf(prisma), onDecline: onDecline ?? (() => undefined) };
  return attachSql(prisma, new ClientSql({ ...own, maker, writes, isComputed: computedBy(prisma) }));
}

/** Returns a proxy of the client that carries its SQL. Its `$extends` does the same for an extension that only computes fields. */
function attachSql<Client extends object>(prisma: Client, sql: ClientSql): Client {
  const client = new Proxy(prisma, {
    get: (target, name): unknown => {
      if (name === CARRIED_SQL) return carried;
      const value: unknown = Reflect.get(target, name, target);
      return name === '$extends' && typeof value === 'function' ? extend(value) : value;
    },
  });
  const extend =
    (method: object) =>
    (extension: unknown): unknown => {
      const extended: unknown = typeof method === 'function' ? Reflect.apply(method, client, [extension]) : undefined;
      if (!isObject(extended) || !computesOnly(extension)) return extended;
      return attachSql(extended, new ClientSql({ ...sql.setup, isComputed: computedBy(extended) }));
    };
  const carried: CarriedSql = { client, sql };
  return client;
}

function computesOnly(extension: unknown): boolean {
  return isObject(extension) && Object.keys(extension).every((part) => part === 'name' || part === 'result');
}

/** Returns a function that reports whether an extension of the client computes a field. Such an extension may also replace a field of the schema. */
function computedBy(prisma: object): IsComputed {
  const results = (extensionsOf(prisma) ?? []).map((extension) => memberOf(extension, 'result')).filter(isObject);
  const has = (model: unknown, field: string): boolean => isObject(model) && Object.hasOwn(model, field);
  return (model, field) => results.some((result) => has(result['$allModels'], field) || has(result[delegateOf(model)], field));
}

/**
 * Rejects writes without a pool, and with `relationMode = "prisma"`. Because the database has no foreign keys in that mode, Prisma emulates their
 * actions.
 */
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

/** Rejects clients of other databases. It reads a member that Prisma does not document, but that Prisma's own packages use. */
function requirePostgresql(prisma: object, maker: SqlMaker): void {
  const provider = memberOf(prisma, '_activeProvider');
  if (provider === 'postgresql') return;
  throw new ConfigurationError(
    `${maker} got ${provider === undefined ? 'no Prisma client' : `a Prisma client for ${JSON.stringify(provider)}`}, and writes SQL for PostgreSQL alone.`,
    'Leave it out: without it, Prisma does everything.',
  );
}

/**
 * Rejects extensions that SQL would bypass: query hooks, and methods that override those of Prisma. Added methods have no effect on SQL. Reads of
 * fields that a `result` extension computes go through Prisma.
 */
function requireNoHooks(prisma: object, maker: SqlMaker): void {
  const extensions = extensionsOf(prisma);
  if (extensions === undefined) throw hooked(maker, 'a Prisma client that does not tell how it was extended');
  if (extensions.some((extension) => memberOf(extension, 'query') !== undefined))
    throw hooked(maker, 'a client extended with `query`, which SQL would bypass');
  const overridden = extendedOperations(prisma)?.find(({ operation }) => DELEGATE_OPERATIONS.some((name) => name === operation));
  if (overridden)
    throw hooked(maker, `a client whose extension overrides ${overridden.model ?? ''}.${overridden.operation}, which SQL would bypass`);
  if (extensions.some((extension) => memberOf(memberOf(extension, 'client'), '$transaction') !== undefined))
    throw hooked(maker, 'a client whose extension overrides $transaction, which SQL would bypass');
}

function hooked(maker: SqlMaker, what: string): ConfigurationError {
  return new ConfigurationError(
    `${maker} got ${what}.`,
    'Give it the Prisma client itself; extend what it returns, and what the extension is about goes through Prisma.',
  );
}

/** Returns the schema of the tables without `@@schema`. */
export function defaultSchemaOf(prisma: object): string {
  return schemaOfClient(prisma) ?? 'public';
}
