import { withSqlReads } from 'nestjs-resource-api';
import { Pool } from 'pg';
import { sample } from '../../support/sample.js';
import { startBlogApp } from './blog-app.js';
import { type BlogDatabase, openBlogDatabase } from './blog-database.js';
import { FEWER_CALLERS } from './callers.js';
import { ENGINES } from './engines.js';
import type { PolicedBlog } from './policed-blog.js';
import { describeReads } from './read-suite.js';
import { readVisibleRows } from './visible-rows.js';

/** On a server, SQL reads use a separate pool. On PGlite, they run through the client. */
const WAYS = ENGINES.flatMap((engine) => sample.oneIn(2, ['SQL', 'Prisma'] as const).map((way) => [engine, way] as const));

function openPool({ connectionString }: BlogDatabase): Pool | undefined {
  return connectionString === undefined ? undefined : new Pool({ connectionString, max: 2 });
}

describe.each(WAYS)('reads under row-level security on %s by %s', (engine, way) => {
  const open = async (): Promise<PolicedBlog> => {
    const database = await openBlogDatabase(engine);
    const pool = openPool(database);
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
  describeReads(open, 'by visible rows', FEWER_CALLERS);
});
