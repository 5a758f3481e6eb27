import type { RulesOption } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { PRODUCT } from '../../support/seed.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { ORDER, REFERRING_WRITES } from './referring-writes.js';
import { type Caller, callerOf } from './rules-suite.js';

/** Unreadable are posts 3 and 6, categories below category 1, and lines of more than two items. */
const RULES: RulesOption = {
  'Post': { 'read': { id: { notIn: [3, 6] } }, '*': true },
  'Category': { 'read': { parentId: null }, '*': true },
  'OrderLine': { 'read': { quantity: { lte: 2 } }, '*': true },
  '*': true,
};

/** Referenced rows are read after a write, because any record of the call may have created them. */
onPlatforms('foreign keys to unreadable rows', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  let caller: Caller;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { rules: RULES } });
    caller = callerOf(app);
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each(REFERRING_WRITES)('are a 404 in %s, which stores nothing', async (_, operation, args) => {
    await database.prisma.orderLine.updateMany({ where: { orderId: ORDER, productId: PRODUCT.atlas }, data: { quantity: 9 } });
    const before = await everything();
    expect((await caller.rpc(operation, args)).status).toBe(404);
    expect(await everything()).toEqual(before);
  });

  it('are the same error as those to missing rows', async () => {
    for (const [operation, args] of [
      ['post/create', (categoryId: number) => ({ data: { title: 'x', authorId: 1, categoryId } })],
      ['comment/create', (postId: number) => ({ data: { body: 'x', postId } })],
    ] as const) {
      const [unreadable, missing] = [await caller.rpc(operation, args(3)), await caller.rpc(operation, args(999))];
      expect([missing.status, missing.error]).toEqual([unreadable.status, unreadable.error]);
    }
  });

  it('are a 404 in REST', async () => {
    const post = { type: 'post', attributes: { title: 'x', authorId: 1, categoryId: 2 } };
    expect((await caller.rest('POST', '/post', { data: post })).status).toBe(404);
    expect((await caller.rest('PATCH', '/post/1', { data: { type: 'post', id: 1, attributes: { categoryId: 2 } } })).status).toBe(404);
    expect((await caller.rest('POST', '/post', { data: { ...post, attributes: { ...post.attributes, categoryId: 1 } } })).status).toBe(201);
  });

  it('differ from those to readable rows and to rows that the call creates, which are stored', async () => {
    const posts = { connectOrCreate: { where: { id: 77 }, create: { id: 77, title: 'x' } } };
    const comments = { create: { body: 'x', postId: 77 } };
    expect((await caller.rpc('user/update', { where: { id: 1 }, data: { posts } })).status).toBe(200);
    expect((await caller.rpc('user/update', { where: { id: 1 }, data: { comments } })).status).toBe(200);
    const line = { orderId: 3n, productId: PRODUCT.globe };
    expect((await caller.rpc('refund/create', { data: { amount: '1.00', ...line } })).status).toBe(201);
    expect((await caller.rpc('refund/update', { where: { id: 2 }, data: { productId: PRODUCT.globe } })).status).toBe(200);
    expect((await caller.rpc('post/update', { where: { id: 1 }, data: { categoryId: null } })).status).toBe(200);
  });

  it('are found by one statement for each model, and by none for models whose rows are all readable', async () => {
    const reads = async (operation: string, args: object): Promise<number> => {
      database.statements.clear();
      expect((await caller.rpc(operation, args)).status).toBe(201);
      return database.statements.all.filter((sql) => /^\s*SELECT\b/i.test(sql) && /["`](?:Category|User)["`]/.test(sql)).length;
    };
    const data = (categoryId: number) => ({ title: 'x', authorId: 1, categoryId });
    // Both models are read before the write, so that the error has the path of a missing row.
    expect(await reads('post/createMany', { data: [data(1), data(5), data(1)] })).toBe(2);
    expect(await reads('tag/createMany', { data: [{ name: 'x' }] })).toBe(0);
  });

  async function everything(): Promise<unknown> {
    const { comment, post, refund } = database.prisma;
    const orderBy = { id: 'asc' } as const;
    return [await comment.findMany({ orderBy }), await post.findMany({ orderBy }), await refund.findMany({ orderBy })];
  }
});
