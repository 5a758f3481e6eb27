import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { rpcCodec } from '../../support/rpc-codec.js';
import { day } from '../../support/seed.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

onPlatforms('RPC batches', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { limits: { maxTake: 15, maxBatchSize: 20 } } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('run in order, in one transaction, in which each operation reads the writes of earlier ones', async () => {
    const response = await app.rpc.sequential([
      { model: 'Tag', op: 'create', args: { data: { name: 'x' }, select: { name: true } } },
      { model: 'tag', op: 'count' },
      { model: 'order', op: 'findUnique', args: { where: { id: 9_007_199_254_740_993n }, select: { id: true, placedAt: true } } },
      { model: 'tag', op: 'deleteMany', args: { where: { name: 'x' } } },
      { model: 'tag', op: 'findUnique', args: { where: { name: 'x' } } },
    ]);
    expect([response.status, response.data]).toEqual([
      200,
      [{ name: 'x' }, 6, { id: 9_007_199_254_740_993n, placedAt: day(4) }, { count: 1 }, null],
    ]);
    expect(database.statements.transactionControl.map((sql) => sql.toUpperCase())).toEqual(['BEGIN', 'COMMIT']);
  });

  it('accept an array-like object with dates, as existing clients send it', async () => {
    const operations = [{ model: 'post', op: 'findMany', args: { where: { createdAt: { lt: day(3) } }, select: { id: true } } }];
    const { json, meta } = rpcCodec.serialize(operations);
    const body = JSON.stringify({ ...(json as object), meta: { serialization: meta } });
    const response = await app.rpc.send({
      method: 'POST',
      path: '/$transaction/sequential',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(response.data).toEqual([[{ id: 1 }, { id: 2 }]]);
  });

  it.each<[string, { model: string; op: string; args?: object }, number, object]>([
    ['a broken constraint', { model: 'tag', op: 'create', args: { data: { name: 'nest' } } }, 400, { orm: true, code: 'P2002' }],
    ['a missing record', { model: 'tag', op: 'delete', args: { where: { id: 99 } } }, 404, { orm: true, code: 'P2025' }],
    ['more rows than may be read', { model: 'comment', op: 'findMany' }, 400, {}],
  ])('are rolled back for %s, with the index of the operation', async (_, operation, status, members) => {
    const response = await app.rpc.sequential([{ model: 'tag', op: 'create', args: { data: { name: 'x' } } }, operation]);
    expect(response.status).toBe(status);
    expect(response.error).toMatchObject({ message: expect.stringMatching(/^operations\[1\]: /), ...members });
    expect(await database.prisma.tag.count()).toBe(5);
  });

  it.each<[string, { model: string; op: string; args?: object }, number]>([
    ['an unknown model', { model: 'apiToken', op: 'count' }, 400],
    ['an unknown operation', { model: 'tag', op: '$queryRaw' }, 400],
    ['a hidden field', { model: 'user', op: 'findMany', args: { select: { passwordHash: true } } }, 400],
    ['an unfiltered delete', { model: 'tag', op: 'deleteMany' }, 400],
  ])('are rejected before any SQL for %s in any operation', async (_, operation, status) => {
    const response = await app.rpc.sequential([{ model: 'tag', op: 'create', args: { data: { name: 'x' } } }, operation]);
    expect([response.status, response.error.message]).toEqual([status, expect.stringMatching(/^operations\[1\]: /)]);
    expect(database.statements.all).toEqual([]);
  });

  it('are limited in number, and have at least one operation', async () => {
    const many = Array.from({ length: 21 }, () => ({ model: 'tag', op: 'count' }));
    expect((await app.rpc.sequential(many)).error).toEqual({ message: 'The batch has 21 operations; limits.maxBatchSize allows 20.' });
    expect((await app.rpc.sequential([])).error).toEqual({ message: 'The batch has no operations.' });
  });

  it('are accepted only by POST', async () => {
    const response = await app.rpc.send({
      method: 'PUT',
      path: '/$transaction/sequential',
      headers: { 'Content-Type': 'application/json' },
      body: '[]',
    });
    expect([response.status, response.error]).toEqual([400, { message: 'sequential is called by POST, not by PUT.' }]);
  });
});
