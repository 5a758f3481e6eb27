import { Module } from '@nestjs/common';
import { AfterWrite, ResourceHooks, withRowLevelSecurity } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { describeWhere } from '../../support/describe-where.js';
import { readsInSql } from '../../support/sql-reads.js';
import { onPlatforms, type Platform, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';
import { THIS_DATABASE } from '../../support/databases/this-database.js';

type Options = NonNullable<TestAppOptions['options']>;

/** Without limits.maxDuration, no statement sets a timeout first. */
const UNLIMITED = { maxDuration: Infinity };

@ResourceHooks('Tag')
class TagHooks {
  @AfterWrite()
  written(): void {
    return;
  }
}

@Module({ providers: [TagHooks] })
class HookModule {}

let database: TestDatabase;
let app: TestApp | undefined;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterEach(() => app?.close());
afterAll(() => database.close());

async function start(platform: Platform, options: Options = {}): Promise<TestApp> {
  app = await startTestApp({ platform, database, options: { ...options, limits: { ...UNLIMITED, ...options.limits } } });
  return app;
}

const isPrisma = THIS_DATABASE === 'postgresql' && !readsInSql();

describeWhere(isPrisma, 'PostgreSQL, through Prisma', 'the statements of a write through Prisma', () => {
  onPlatforms('without BEGIN and COMMIT', (platform) => {
    it('are one, for a create whose response is its row', async () => {
      const { rest, rpc } = await start(platform);
      expect(await rpc.call('tag/create', { data: { name: 'alone' } })).toMatchObject({ status: 201, data: { name: 'alone' } });
      expect(database.statements.all).toEqual([expect.stringMatching(/^INSERT INTO .* RETURNING /s)]);
      database.statements.clear();
      expect((await rest.post('/tag', { data: { type: 'tag', attributes: { name: 'in REST' } } })).status).toBe(201);
      expect(database.statements.all).toEqual([expect.stringMatching(/^INSERT INTO .* RETURNING /s)]);
    });

    it('are one, for an update or a delete whose response has a limited size', async () => {
      const { rpc } = await start(platform);
      await rpc.call('tag/create', { data: { name: 'gone' } });
      database.statements.clear();
      const update = { where: { name: 'gone' }, data: { name: 'going' }, select: { id: true, name: true } };
      expect(await rpc.call('tag/update', update)).toMatchObject({ status: 200, data: { name: 'going' } });
      expect(database.statements.all).toEqual([expect.stringMatching(/^UPDATE .* RETURNING /s)]);
      database.statements.clear();
      expect((await rpc.call('tag/delete', { where: { name: 'going' }, select: { id: true } })).status).toBe(200);
      expect(database.statements.all).toEqual([expect.stringMatching(/^DELETE .* RETURNING /s)]);
    });

    it('answer 400 to a unique conflict and 404 to a missing row', async () => {
      const { rpc } = await start(platform);
      await rpc.call('tag/create', { data: { name: 'one' } });
      database.statements.clear();
      expect((await rpc.call('tag/create', { data: { name: 'one' } })).status).toBe(400);
      expect((await rpc.call('tag/update', { where: { id: 99_999 }, data: { name: 'x' }, select: { id: true } })).status).toBe(404);
      expect((await rpc.call('tag/delete', { where: { id: 99_999 }, select: { id: true } })).status).toBe(404);
      expect(database.statements.transactionControl).toEqual([]);
    });

    it('store one of eight concurrent creates with the same unique value', async () => {
      const { rpc } = await start(platform);
      const answers = await Promise.all(Array.from({ length: 8 }, () => rpc.call('tag/create', { data: { name: 'raced' } })));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
      expect(await database.prisma.tag.count({ where: { name: 'raced' } })).toBe(1);
    });
  });

  describe('between BEGIN and COMMIT', () => {
    const create = ['tag/create', { data: { name: 'whole' } }] as const;
    const TRANSACTIONS: readonly (readonly [
      what: string,
      options: (prisma: TestDatabase['prisma']) => Options,
      ...call: readonly [string, object],
    ])[] = [
      ['under row rules', () => ({ rules: { 'Tag': { read: { name: { not: 'hidden' } }, create: true }, '*': true } }), ...create],
      ['of a caller', (prisma) => ({ getClient: () => withRowLevelSecurity(prisma, { settings: { 'app.user_id': 1 } }) }), ...create],
      [
        'of a client with query hooks',
        (prisma) => ({ getClient: () => prisma.$extends({ query: { tag: { create: ({ args, query }) => query(args) } } }) }),
        ...create,
      ],
      [
        'whose response may be too large',
        () => ({ limits: { maxResponseSize: 70_000 } }),
        'tag/create',
        { data: { name: 'x'.repeat(2_000) } },
      ],
      ['with related rows in the response', () => ({}), 'tag/create', { ...create[1], include: { posts: true } }],
      ['with nested writes', () => ({}), 'tag/create', { data: { name: 'whole', posts: { connect: { id: 1 } } } }],
      ['of texts of any length in the response', () => ({}), 'tag/update', { where: { id: 1 }, data: { id: 1 } }],
      ['of a foreign key', () => ({}), 'post/update', { where: { id: 1 }, data: { authorId: 2 }, select: { id: true } }],
      [
        'by more than a key',
        () => ({}),
        'tag/update',
        { where: { id: 1, posts: { every: { id: { gt: 0 } } } }, data: { name: 'whole' }, select: { id: true } },
      ],
      ['of many rows', () => ({}), 'tag/updateMany', { where: { id: 1 }, data: { name: 'whole' } }],
    ];

    it.each(TRANSACTIONS)('is a write %s', async (_, options, path, args) => {
      const { rpc } = await start('express', options(database.prisma));
      expect((await rpc.call(path, args)).status).toBeLessThan(300);
      expect(database.statements.transactionControl.slice(-2)).toEqual(['BEGIN', 'COMMIT']);
    });

    it('is a write with a hook, and one with an Idempotency-Key', async () => {
      const idempotency = { caller: () => 'ada' };
      app = await startTestApp({ platform: 'express', database, imports: [HookModule], options: { limits: UNLIMITED } });
      expect((await app.rpc.call(...create)).status).toBe(201);
      expect(database.statements.transactionControl).toEqual(['BEGIN', 'COMMIT']);
      await app.close();
      app = await startTestApp({ platform: 'express', database, options: { limits: UNLIMITED, idempotency } });
      database.statements.clear();
      const sent = app.agent.post('/api/rpc/tag/create').set('Idempotency-Key', '"8e03978e-40d5-43dd-bc93-6894a57f9324"');
      expect((await sent.send({ data: { name: 'once' } })).status).toBe(201);
      const { all } = database.statements;
      const index = all.findIndex((sql) => sql.includes('INSERT INTO "public"."Tag"'));
      const before = all.slice(0, index).filter((sql) => sql === 'BEGIN' || sql === 'COMMIT');
      expect([before.at(-1), all.at(-1)]).toEqual(['BEGIN', 'COMMIT']);
    });

    it('is a write whose response would be too large, which is rolled back', async () => {
      const { rpc } = await start('express', { limits: { maxResponseSize: 1_000 } });
      expect((await rpc.call('tag/create', { data: { name: 'x'.repeat(2_000) } })).status).toBe(400);
      expect(database.statements.transactionControl).toEqual(['BEGIN', 'ROLLBACK']);
    });
  });
});
