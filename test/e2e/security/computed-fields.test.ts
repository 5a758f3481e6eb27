import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onPlatforms, PLATFORMS, startTestApp, type TestApp } from '../../support/test-app.js';

const COMPUTED = {
  title: 'String',
  initial: 'String?',
  hashLength: 'Int',
  since: 'DateTime',
  score: 'BigInt',
  labels: 'String[]',
} as const;

/** Extends a client with computed fields. Some need hidden fields, and one is not named in `resources`. */
function extend({ prisma }: TestDatabase) {
  return prisma.$extends({
    result: {
      user: {
        title: { needs: { name: true, role: true }, compute: ({ name, role }) => `${role} ${name}` },
        initial: { needs: { name: true }, compute: ({ name }) => (name.startsWith('A') ? 'A' : null) },
        hashLength: { needs: { passwordHash: true }, compute: ({ passwordHash }) => passwordHash.length },
        since: { needs: { createdAt: true }, compute: ({ createdAt }) => createdAt },
        score: { needs: { loginCount: true }, compute: ({ loginCount }) => BigInt(loginCount) },
        labels: { needs: { locale: true }, compute: ({ locale }) => [locale, 'user'] },
        secretName: { needs: { pin: true }, compute: ({ pin }) => `SECRET ${pin ?? ''}` },
      },
    },
  });
}

const HIDDEN = /passwordHash|hash-of|"pin"|1815|secretName|SECRET|recoveryCode/;

onPlatforms('computed fields', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    const extended = extend(database);
    app = await startTestApp({ platform, options: { getClient: () => extended, resources: { User: { computed: COMPUTED } } } });
  });
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const ADA = { title: 'ADMIN Ada Lovelace', initial: 'A', score: 7n, labels: ['en', 'user'], hashLength: expect.any(Number) };
  const ADA_IN_JSON = { ...ADA, score: '7' };

  describe('in REST', () => {
    it('are attributes, encoded by their type', async () => {
      const { one, text } = await app.rest.get('/user/1');
      expect(one.attributes).toMatchObject({ ...ADA_IN_JSON, since: one.attributes['createdAt'] });
      expect(text).not.toMatch(HIDDEN);
    });

    it('may be null if they are optional', async () => {
      const { one } = await app.rest.get('/user/2?fields[user]=initial');
      expect(one.attributes).toEqual({ initial: null });
    });

    it('can be selected by sparse fieldsets without the fields that they need', async () => {
      const { many, text } = await app.rest.get('/user?fields[user]=title,hashLength');
      expect(many.map(({ attributes }) => Object.keys(attributes))).toEqual(Array(5).fill(['title', 'hashLength']));
      expect(text).not.toMatch(HIDDEN);
    });

    it('are in included resources', async () => {
      const { included, text } = await app.rest.get('/post/1?include=author,comments.author&fields[user]=title');
      const users = included.filter(({ type }) => type === 'user');
      expect(users.length).toBeGreaterThan(0);
      expect(users.every(({ attributes }) => /^(ADMIN|AUTHOR|READER) /.test(String(attributes['title'])))).toBe(true);
      expect(text).not.toMatch(HIDDEN);
    });

    it('are in the response to a write', async () => {
      const body = { data: { type: 'user', id: '1', attributes: { name: 'Zoe' } } };
      const { status, one, text } = await app.rest.patch('/user/1', body);
      expect([status, one.attributes['title'], one.attributes['initial']]).toEqual([200, 'ADMIN Zoe', null]);
      expect(text).not.toMatch(HIDDEN);
    });

    it.each(['/user?filter[title]=x', '/user?filter[title][$contains]=x', '/user?sort=title', '/user?sort=-hashLength'])(
      'cannot be used in %s',
      async (path) => {
        const { status, errors } = await app.rest.get(path);
        expect([status, errors.length]).toEqual([400, 1]);
      },
    );

    it.each(['title', 'hashLength'])('cannot be written: %s', async (name) => {
      const { status, text } = await app.rest.patch('/user/1', { data: { type: 'user', id: '1', attributes: { [name]: 'x' } } });
      expect(status).toBe(400);
      expect(text).toMatch(name);
    });
  });

  describe('in RPC', () => {
    it('are in results by default', async () => {
      const { data } = await app.rpc.call('user/findUnique', { where: { id: 1 } });
      expect(data).toMatchObject({ ...ADA, since: expect.any(Date), createdAt: expect.any(Date) });
      expect(Object.keys(data as object)).not.toContain('secretName');
    });

    it.each<[operation: string, args: object]>([
      ['user/findMany', { select: { title: true, hashLength: true } }],
      ['user/findFirst', { omit: { score: true } }],
      ['post/findMany', { include: { author: true } }],
      ['post/findFirst', { select: { author: { select: { title: true, profile: { select: { user: true } } } } } }],
      ['user/update', { where: { id: 1 }, data: { name: 'Ada' } }],
      ['user/updateManyAndReturn', { where: { id: 1 }, data: { name: 'Ada' }, select: { title: true } }],
      ['post/update', { where: { id: 1 }, data: { title: 'New' }, include: { author: true } }],
    ])('are in %s %j, without the fields that they need', async (operation, args) => {
      const { status, text } = await app.rpc.call(operation, args);
      expect(status).toBe(200);
      expect(text).toMatch(/"title":"(ADMIN|AUTHOR|READER) /);
      expect(text).not.toMatch(HIDDEN);
    });

    it('can be selected alone, and omitted', async () => {
      const selected = await app.rpc.call('user/findUnique', { where: { id: 1 }, select: { title: true } });
      expect(selected.data).toEqual({ title: ADA.title });
      const omitted = await app.rpc.call('user/findUnique', { where: { id: 1 }, omit: { title: true } });
      expect(omitted.data).not.toHaveProperty('title');
      expect(omitted.data).toHaveProperty('hashLength');
    });

    it('are in batches', async () => {
      const { data } = await app.rpc.sequential([
        { model: 'user', op: 'update', args: { where: { id: 1 }, data: { name: 'Zoe' } } },
        { model: 'user', op: 'findMany', args: { where: { id: 1 }, select: { title: true } } },
      ]);
      expect(data).toMatchObject([{ title: 'ADMIN Zoe' }, [{ title: 'ADMIN Zoe' }]]);
    });

    it.each<[operation: string, args: object]>([
      ['user/findMany', { where: { title: 'x' } }],
      ['user/findMany', { where: { hashLength: { gt: 1 } } }],
      ['user/findMany', { orderBy: { title: 'asc' } }],
      ['user/findMany', { orderBy: { _relevance: { fields: ['title'], search: 'a', sort: 'asc' } } }],
      ['user/findMany', { distinct: ['title'] }],
      ['user/findMany', { cursor: { title: 'x' } }],
      ['user/findUnique', { where: { title: 'x' } }],
      ['user/findUnique', { where: { id: 1, title: 'x' } }],
      ['user/findMany', { include: { title: true } }],
      ['user/count', { select: { title: true } }],
      ['user/aggregate', { _max: { title: true } }],
      ['user/aggregate', { _sum: { hashLength: true } }],
      ['user/aggregate', { _count: { title: true } }],
      ['user/groupBy', { by: ['title'], _count: true }],
      ['user/groupBy', { by: ['role'], having: { hashLength: { gt: 1 } } }],
      ['user/groupBy', { by: ['role'], orderBy: { _max: { title: 'asc' } } }],
      ['user/update', { where: { id: 1 }, data: { title: 'x' } }],
      ['user/updateMany', { data: { hashLength: 1 } }],
      ['user/create', { data: { name: 'N', email: 'n@example.com', passwordHash: 'x', title: 'x' } }],
      ['post/findMany', { where: { author: { title: 'x' } } }],
      ['post/findMany', { orderBy: { author: { title: 'asc' } } }],
    ])('cannot be used in %s %j', async (operation, args) => {
      expect((await app.rpc.call(operation, args)).status).toBe(400);
    });
  });
});

describe.each(PLATFORMS)('a data client whose computed fields differ from resources (%s)', (platform) => {
  let database: TestDatabase;
  let apps: TestApp[];

  beforeAll(async () => {
    database = await openTestDatabase();
    await database.reset();
  });
  beforeEach(() => {
    apps = [];
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await Promise.all(apps.map((app) => app.close()));
  });
  afterAll(() => database.close());

  async function start(client: object): Promise<{ readonly app: TestApp; readonly logged: () => string }> {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const app = await startTestApp({
      platform,
      options: { getClient: () => client, resources: { User: { computed: { title: 'String' } } } },
    });
    apps.push(app);
    return { app, logged: () => error.mock.calls.flat().join('\n') };
  }

  it.each<[fault: string, compute: () => unknown, message: string]>([
    ['another type', () => ({ note: 'SECRET' }), "The computed field 'User.title' is declared as String in resources"],
    [
      'an error',
      () => {
        throw new Error('SECRET of the host');
      },
      'SECRET of the host',
    ],
  ])('answers 500 for %s, and logs the fault without sending it', async (_fault, compute, message) => {
    const { app, logged } = await start(database.prisma.$extends({ result: { user: { title: { needs: { id: true }, compute } } } }));
    const batch = await app.rpc.sequential([{ model: 'user', op: 'findFirst', args: {} }]);
    for (const { status, text } of [await app.rest.get('/user/1'), await app.rpc.call('user/findFirst'), batch]) {
      expect(status).toBe(500);
      expect(text).not.toMatch('SECRET');
    }
    expect(logged()).toMatch(message);
  });

  it('answers 500 for a missing computed field, and logs its name', async () => {
    const { app, logged } = await start(database.prisma);
    expect((await app.rest.get('/user/1')).status).toBe(500);
    expect((await app.rpc.call('user/findMany', { select: { title: true } })).status).toBe(500);
    expect(logged()).toMatch('title');
  });
});
