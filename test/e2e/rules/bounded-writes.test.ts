import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { RULES } from './rules.js';

/** User 2 has three comments of the twenty. */
describe('a write of many rows under row rules', () => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    const options = { rules: RULES, limits: { maxTake: 2 }, rest: { pageSize: 2, maxPageSize: 2 } };
    app = await startTestApp({ platform: 'express', database, options });
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const send = async (operation: string, args: object): Promise<readonly unknown[]> => {
    const answer = await app.rpc.call(operation, args, { headers: { 'X-User-Id': '2' } });
    return [answer.status, answer.status < 400 ? undefined : answer.error.message];
  };
  const refusal = [400, expect.stringMatching(/^A write reaches at most 2 records of Comment \(limits\.maxTake\)\.$/)];
  const count = () => database.prisma.comment.count({ where: { OR: [{ body: 'changed' }, { id: { gt: 20 } }] } });

  it.each([
    ['comment/updateMany', { where: {}, data: { body: 'changed' } }],
    ['comment/updateMany', { where: {}, data: { body: 'changed' }, limit: 3 }],
    ['comment/deleteMany', { where: {}, limit: 3 }],
    [
      'user/update',
      { where: { id: 2 }, data: { comments: { updateMany: { where: {}, data: { body: 'changed' } } } }, select: { id: true } },
    ],
  ])('reads at most limits.maxTake rows, and then writes nothing: %s %j', async (operation, args) => {
    const before = await database.prisma.comment.count();
    expect(await send(operation, args)).toEqual(refusal);
    expect([await count(), await database.prisma.comment.count()]).toEqual([0, before]);
  });

  it('has no such limit if no row needs to be read', async () => {
    expect(await send('comment/deleteMany', { where: {} })).toEqual([200, undefined]);
  });

  it('writes as many rows as its argument limit allows', async () => {
    expect(await send('comment/updateMany', { where: {}, data: { body: 'changed' }, limit: 2 })).toEqual([200, undefined]);
    expect(await count()).toBe(2);
    expect(await send('comment/deleteMany', { where: {}, limit: 1 })).toEqual([200, undefined]);
    expect(await database.prisma.comment.count({ where: { authorId: 2 } })).toBe(2);
  });
});
