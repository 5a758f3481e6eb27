import { PrismaPg } from '@prisma/adapter-pg';
import * as api from 'nestjs-resource-api';
import pg from 'pg';
import type { Contender } from '../contenders.js';
import { PrismaClient } from '../generated/prisma/client.js';
import { cannedClient } from './canned-client.js';

/** Connections of every contender. */
export const POOL_SIZE = 10;
export const CALLER = { role: 'bench_caller', settings: { 'app.user_id': 7 } };

export const connectionString = process.env['DATABASE_URL'] ?? '';

/** As the quick start has it: PostgreSQL ends slow statements by itself. */
const config = { connectionString, max: POOL_SIZE, statement_timeout: 5000 };

type WithSql = (prisma: PrismaClient, options: { readonly pool: pg.Pool; readonly writes?: true }) => PrismaClient;
/** Earlier versions have the second alone. */
const { withSqlReads, withSql = withSqlReads } = api as { readonly withSql?: WithSql; readonly withSqlReads?: WithSql };

export const hasSqlReads = withSql !== undefined;

/** The data client of a contender, for each request. */
export function clientOf({ client }: Contender): () => PrismaClient {
  if (client === 'canned') return () => cannedClient as unknown as PrismaClient;
  const pool = new pg.Pool(config);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const base = client.endsWith('sql') && withSql ? withSql(prisma, { pool, writes: true }) : prisma;
  return client.startsWith('policies') ? () => api.withRowLevelSecurity(base, CALLER) as PrismaClient : () => base;
}

/** Row-level security as Prisma's documentation writes it by hand: `prisma-client-extensions`, "row-level-security". */
export function documentedPolicies(prisma: PrismaClient): PrismaClient {
  const { role, settings } = CALLER;
  return prisma.$extends({
    query: {
      $allModels: {
        async $allOperations({ args, query }) {
          const [, result] = await prisma.$transaction([
            prisma.$executeRaw`SELECT set_config('app.user_id', ${String(settings['app.user_id'])}, TRUE), set_config('role', ${role}, TRUE)`,
            query(args),
          ]);
          return result;
        },
      },
    },
  }) as unknown as PrismaClient;
}
