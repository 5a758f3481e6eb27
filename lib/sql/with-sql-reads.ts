import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';
import { PoolReads } from './pool-reads.js';
import type { SqlPool } from './sql-pool.js';
import { type CarriedReads, type DeclinedSqlRead, SQL_READS, SqlReads } from './sql-reads.js';

/** How reads are made in SQL. */
export interface SqlReadsOptions {
  /**
   * The `pg.Pool` that reads run on, the one that Prisma's adapter was given or one of their own, for the same database. Give it a
   * `statement_timeout` no longer than `limits.maxDuration`, or else each read that may take long is put into a transaction that has it.
   *
   * Without it, reads go through `prisma.$queryRawUnsafe`: any adapter for PostgreSQL, at less speed.
   */
  readonly pool?: SqlPool;
  /** The schema of the tables that have no `@@schema`. @default the one that Prisma's adapter was given, else 'public' */
  readonly schema?: string;
  /** Called for each read that Prisma answers instead. */
  readonly onDecline?: (read: DeclinedSqlRead) => void;
}

/**
 * Has both styles answer reads by one SQL statement each, several times as fast as Prisma's client, with answers that are the same byte for byte.
 * Writes, what the host itself asks of the client, and reads that are not compiled (`onDecline` says why) go through Prisma as before.
 *
 * A client that is extended afterwards reads through Prisma: its hooks are never passed by.
 *
 * @throws ConfigurationError for a client that was extended with query or result hooks before, and for another database than PostgreSQL
 * @example
 * const pool = new Pool({ connectionString: process.env['DATABASE_URL'], statement_timeout: 5_000 });
 * export const db = withSqlReads(new PrismaClient({ adapter: new PrismaPg(pool) }), { pool });
 */
export function withSqlReads<Client extends object>(prisma: Client, { pool, schema, onDecline }: SqlReadsOptions = {}): Client {
  requirePostgresql(prisma);
  requireNoHooks(prisma);
  const setup = { pool: pool && new PoolReads(pool), schema: schema ?? schemaOf(prisma), onDecline: onDecline ?? (() => undefined) };
  const client = new Proxy(prisma, {
    get: (target, name): unknown => (name === SQL_READS ? carried : Reflect.get(target, name, target)),
  });
  const carried: CarriedReads = { client, reads: new SqlReads(setup) };
  return client;
}

/** Not documented; Prisma's own packages read it. */
function requirePostgresql(prisma: object): void {
  const provider = memberOf(prisma, '_activeProvider');
  if (provider === 'postgresql') return;
  throw new ConfigurationError(
    `withSqlReads got ${provider === undefined ? 'no Prisma client' : `a Prisma client for ${JSON.stringify(provider)}`}, and writes SQL for PostgreSQL alone.`,
    'Leave it out: without it, every read goes through the data client.',
  );
}

/** Extensions of the client and its models only add methods; those of queries and results would not be asked. */
function requireNoHooks(prisma: object): void {
  const extensions = memberOf(prisma, '_extensions');
  if (extensions === undefined) throw hooked('a Prisma client that does not tell how it was extended');
  for (let one = memberOf(extensions, 'head'); one !== undefined; one = memberOf(one, 'previous')) {
    const extension = memberOf(one, 'extension');
    if (extension === undefined) throw hooked('a Prisma client that does not tell how it was extended');
    for (const kind of ['query', 'result']) {
      if (memberOf(extension, kind) !== undefined) throw hooked(`a client extended with \`${kind}\`, which SQL would pass by`);
    }
  }
}

function hooked(what: string): ConfigurationError {
  return new ConfigurationError(
    `withSqlReads got ${what}.`,
    'Give it the Prisma client itself; extend what it returns, and those reads go through Prisma.',
  );
}

function schemaOf(prisma: object): string {
  const schema = ['_engineConfig', 'adapter', 'options', 'schema'].reduce<unknown>(memberOf, prisma);
  return typeof schema === 'string' ? schema : 'public';
}
