import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { itByPrisma } from '../../support/sql-reads.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

interface Post {
  readonly id: number;
}

onPlatforms('pages from a cursor', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { limits: { maxDuration: Infinity } } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const find = async (args: object): Promise<readonly Post[]> =>
    (await app.rpc.call('post/findMany', { select: { id: true }, ...args })).data as readonly Post[];

  it.each([[{ authorId: 'asc' }], [{ authorId: 'desc' }], [{ author: { name: 'asc' } }]])(
    'contain each row once in the order %j, which has ties',
    async (orderBy) => {
      const all = await find({});
      const found: Post[] = [];
      let page = await find({ orderBy: [orderBy, { id: 'asc' }], take: 2 });
      while (page.length > 0 && found.length <= all.length) {
        found.push(...page);
        page = await find({ orderBy, take: 2, skip: 1, cursor: found.at(-1) });
      }
      expect(found.map(({ id }) => id).sort((one, other) => one - other)).toEqual(
        all.map(({ id }) => id).sort((one, other) => one - other),
      );
    },
  );

  itByPrisma('are limited by the database in such an order', async () => {
    await find({ orderBy: { authorId: 'asc' }, take: 2, cursor: { id: 1 } });
    expect(database.statements.queries).toEqual([expect.stringContaining('LIMIT')]);
  });
});
