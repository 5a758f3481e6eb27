import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

const TAG = { data: { type: 'tag', attributes: { name: 'x' } } };

/** Returns a client whose connection is lost as soon as a transaction commits. */
function losingAnswers({ prisma }: TestDatabase): object {
  return new Proxy(prisma, {
    get: (target, name) => {
      if (name !== '$transaction') return Reflect.get(target, name) as unknown;
      return async (...given: Parameters<typeof prisma.$transaction>) => {
        await target.$transaction(...given);
        throw new Error('Connection terminated unexpectedly');
      };
    },
  });
}

onPlatforms('a write that the database does not confirm', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, options: { getClient: () => losingAnswers(database) } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('is a 500 outcome-unknown without Retry-After', async () => {
    const rest = await app.rest.post('/tag', TAG);
    expect([rest.status, rest.errors[0]?.code]).toEqual([500, 'outcome-unknown']);
    expect(rest.errors[0]?.detail).toBe(
      'The database did not confirm this write, which may be stored all the same. Look before you try it again.',
    );
    const rpc = await app.rpc.call('tag/createMany', { data: [{ name: 'y' }] });
    expect([rpc.status, rpc.error]).toMatchObject([500, { orm: true, message: expect.stringContaining('may be stored') }]);
    const batch = await app.rpc.sequential([{ model: 'tag', op: 'create', args: { data: { name: 'z' } } }]);
    expect(batch.status).toBe(500);
    for (const { headers } of [rest, rpc, batch]) expect(headers).not.toHaveProperty('retry-after');
    expect(await database.prisma.tag.count({ where: { name: { in: ['x', 'y', 'z'] } } })).toBe(3);
  });

  it('differs from an unconfirmed read, which is a 503 with Retry-After', async () => {
    const response = await app.rest.get('/tag');
    expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
  });
});

onPlatforms('a write whose returned row cannot be decoded', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database });
    // A value that the generated Prisma client does not have. The column accepts it while it is text.
    await database.prisma.$executeRawUnsafe('ALTER TABLE "User" ALTER COLUMN role DROP DEFAULT, ALTER COLUMN role TYPE text');
  });
  beforeEach(async () => {
    await database.reset();
    await database.prisma.$executeRawUnsafe(`UPDATE "User" SET role = 'OWNER' WHERE id = 1`);
  });
  afterAll(async () => {
    await database.prisma.$executeRawUnsafe(`UPDATE "User" SET role = 'READER' WHERE id = 1`);
    await database.prisma.$executeRawUnsafe(
      `ALTER TABLE "User" ALTER COLUMN role TYPE "Role" USING role::"Role", ALTER COLUMN role SET DEFAULT 'READER'`,
    );
    await app.close();
    await database.close();
  });

  it('is a 500, and stores nothing', async () => {
    const rest = await app.rest.patch('/user/1', { data: { type: 'user', id: 1, attributes: { name: 'Changed' } } });
    const rpc = await app.rpc.call('user/update', { where: { id: 1 }, data: { name: 'Changed' } });
    const returned = await app.rpc.call('user/updateManyAndReturn', { where: { id: 1 }, data: { name: 'Changed' } });
    const batch = await app.rpc.sequential([{ model: 'user', op: 'update', args: { where: { id: 1 }, data: { name: 'Changed' } } }]);
    expect([rest, rpc, returned, batch].map(({ status }) => status)).toEqual([500, 500, 500, 500]);
    expect(rest.errors[0]).toMatchObject({ code: 'unknown-error', detail: 'An unexpected error occurred.', ormCode: 'P2023' });
    expect(rpc.text).not.toMatch(/OWNER|Role/);
    expect(await database.prisma.user.count({ where: { name: 'Changed' } })).toBe(0);
  });

  it('is a 500 like a read of such rows', async () => {
    expect((await app.rest.get('/user')).status).toBe(500);
    expect((await app.rpc.call('user/findMany')).status).toBe(500);
  });
});
