import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openPostgres, withServer } from '../../support/postgres-database.js';
import { PrismaClient } from '../../support/generated/prisma/client.js';
import { PLATFORMS, startTestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { SERVER_URL } from '../policy/engines.js';

/** Schemas with a table of posts each, and how many rows it has. */
const ROWS = { tenant_a: 400, tenant_b: 40, tenant_c: 4000 } as const;

onDatabases('postgresql-server').describe('clients of an application with a schema for each tenant', () => {
  let connectionString: string;
  let close: () => Promise<void>;
  const clients = new Map<string, PrismaClient>();

  beforeAll(async () => {
    const database = await openPostgres(SERVER_URL ?? '');
    ({ close } = database);
    connectionString = database.connectionString ?? '';
    const tables = Object.entries(ROWS).map(
      ([schema, rows]) => `
        CREATE SCHEMA ${schema};
        CREATE TABLE ${schema}."Post" (LIKE public."Post" INCLUDING ALL);
        INSERT INTO ${schema}."Post" ("id", "title", "authorId", "updatedAt")
          SELECT n, 'Post ' || n, 1, now() FROM generate_series(1, ${rows}) n;
        ANALYZE ${schema}."Post";`,
    );
    await withServer(connectionString, (execute) => execute(tables.join('\n')));
    for (const schema of Object.keys(ROWS)) {
      clients.set(schema, new PrismaClient({ adapter: new PrismaPg({ connectionString, max: 2 }, { schema }) }));
    }
  }, 60_000);
  afterAll(async () => {
    await Promise.all([...clients.values()].map((client) => client.$disconnect()));
    await close();
  });

  it.each(PLATFORMS)('estimate totals from the tables of the schema of the client, on %s', async (platform) => {
    const app = await startTestApp({
      platform,
      options: {
        getClient: ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => clients.get(String(headers['x-schema'])) ?? {},
        rest: { count: { default: 'estimated', exactUpTo: 10 } },
      },
    });
    const estimates: unknown[] = [];
    for (const schema of Object.keys(ROWS)) {
      const { document } = await app.rest.get('/post?page[limit]=1', { 'X-Schema': schema });
      estimates.push(document.meta);
    }
    await app.close();
    expect(estimates.map((meta) => JSON.stringify(meta))).toEqual(Object.values(ROWS).map((rows) => expect.stringContaining(`${rows}`)));
  });
});
