import { createRpcClient, type RpcClient, type RpcFetch } from '../../../lib/client/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { Prisma, PrismaClient } from '../../support/generated/prisma/client.js';
import { day } from '../../support/seed.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

onPlatforms('a client with batch', (platform) => {
  let app: TestApp;
  let api: RpcClient<PrismaClient>;
  const urls: string[] = [];

  const record: RpcFetch = (url, init) => {
    urls.push(url.replace(`${app.url}/api/rpc`, '').replace(/\?.*/, ''));
    return fetch(url, init);
  };

  beforeAll(async () => {
    app = await startTestApp({ platform, database, options: { limits: { maxJoins: 3 } } });
    api = createRpcClient<PrismaClient>({ endpoint: `${app.url}/api/rpc`, fetch: record, batch: true });
  });
  beforeEach(() => urls.splice(0));
  afterAll(() => app.close());

  it('sends the reads of one tick as one request, and decodes their values', async () => {
    const where = { createdAt: { gte: day(2), lt: day(4) } };
    const [posts, order, author] = await Promise.all([
      api.post.findMany({ where, select: { id: true, createdAt: true }, orderBy: { id: 'asc' } }),
      api.order.findFirstOrThrow({ where: { id: 9_007_199_254_740_993n } }),
      api.post.findUnique({ where: { id: 1 } }).author({ select: { name: true } }),
    ]);
    expect(posts).toEqual(await database.prisma.post.findMany({ where, select: { id: true, createdAt: true }, orderBy: { id: 'asc' } }));
    expect([order.id, order.placedAt instanceof Date, author]).toEqual([9_007_199_254_740_993n, true, { name: 'Ada Lovelace' }]);
    expect(urls).toEqual(['/$transaction/sequential']);
  });

  it('rejects each call with its own error, without the index in the batch', async () => {
    const outcomes = await Promise.allSettled([
      api.tag.count(),
      api.post.findMany({ where: { titel: 'x' } as Prisma.PostWhereInput }),
      api.tag.findUniqueOrThrow({ where: { id: 999 } }),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'fulfilled', value: await database.prisma.tag.count() },
      { reason: { status: 400, message: expect.stringMatching(/^(?!operations).*where\.titel/) } },
      { reason: { status: 404, code: 'P2025', message: expect.not.stringContaining('operations') } },
    ]);
    expect(urls.toSorted()).toEqual(['/$transaction/sequential', '/post/findMany', '/tag/count', '/tag/findUniqueOrThrow']);
  });

  it('repeats the reads one by one if the batch exceeds a limit', async () => {
    const include = { author: true, comments: true };
    const posts = await Promise.all([1, 2].map((id) => api.post.findUnique({ where: { id }, include })));
    expect(posts.map((post) => post?.id)).toEqual([1, 2]);
    expect(urls).toEqual(['/$transaction/sequential', '/post/findUnique', '/post/findUnique']);
  });
});
