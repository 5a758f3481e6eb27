import { withSqlReads } from 'nestjs-resource-api';
import { Pool } from 'pg';
import { IS_SHORT } from '../../support/long-tests.js';
import { startBlogApp } from './blog-app.js';
import { type BlogDatabase, openBlogDatabase } from './blog-database.js';
import { FEWER_CALLERS } from './callers.js';
import { type Engine, ENGINES, SERVER_URL } from './engines.js';
import type { PolicedBlog } from './policed-blog.js';
import { describeReads } from './read-suite.js';
import { readVisibleRows } from './visible-rows.js';

/** On a server, SQL reads have a pool of their own; embedded, they go through the client. */
const WAYS = ENGINES.flatMap((engine) => (['Prisma', 'SQL'] as const).map((way) => [engine, way] as const));

async function openPool({ prisma }: BlogDatabase, engine: Engine): Promise<Pool | undefined> {
  if (engine === 'PGlite' || SERVER_URL === undefined) return undefined;
  const [row] = await prisma.$queryRaw<readonly { readonly name: string }[]>`SELECT current_database() AS name`;
  return new Pool({ connectionString: new URL(`/${row?.name ?? ''}`, SERVER_URL).href, max: 2 });
}

describe.each(WAYS)('reads under row-level security on %s by %s', (engine, way) => {
  const open = async (): Promise<PolicedBlog> => {
    const database = await openBlogDatabase(engine);
    const pool = await openPool(database, engine);
    const app = await startBlogApp(way === 'SQL' ? withSqlReads(database.prisma, { ...(pool && { pool }) }) : database.prisma);
    return {
      app,
      dump: database.dump,
      reset: database.reset,
      visibleTo: (callerId) => readVisibleRows(database.prisma, callerId),
      close: async () => {
        await app.close();
        await pool?.end();
        await database.close();
      },
    };
  };
  describeReads(open, 'by visible rows', way === 'SQL' || IS_SHORT ? FEWER_CALLERS : undefined);
});
