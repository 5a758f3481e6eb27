import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type RulesOption, withRowLevelSecurity } from '../../../lib/index.js';
import { LogLines } from '../../support/log-lines.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';

/** Posts of other authors are rejected after they are written. */
const RULES: RulesOption = { 'Post': { '*': { authorId: 1 } }, '*': true };
const ALIEN = { data: { title: 'alien', authorId: 2 } };
const ALL_OPERATIONS = 'Under rules, hooks on $allOperations of the data client run';

type Options = NonNullable<Parameters<typeof startTestApp>[0]['options']>;

onPlatforms('a data client under rules', (platform) => {
  let database: TestDatabase;
  let lines: LogLines;
  const apps: TestApp[] = [];

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    await database.reset();
    lines = new LogLines();
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
  });
  afterAll(() => database.close());

  async function start(options: Options): Promise<TestApp> {
    const app = await startTestApp({ platform, logger: lines, options: { rules: RULES, access: 'public', ...options } });
    apps.push(app);
    return app;
  }

  /** Returns the client of an open transaction, without `$transaction`, as in versions of Prisma without nested transactions. */
  const open = (): object =>
    new Proxy(database.prisma, { get: (prisma, name): unknown => (name === '$transaction' ? undefined : Reflect.get(prisma, name)) });
  const warnings = (): readonly string[] => lines.warnings.filter((line) => line.includes(ALL_OPERATIONS));

  it('without $transaction is a configuration error at boot', async () => {
    await expect(start({ getClient: open })).rejects.toThrow(/'rules' needs transactions, and the data client has no \$transaction/);
    await expect(start({ getClient: (_: object) => open(), bootClient: open() })).rejects.toThrow(/no \$transaction/);
  });

  it('without $transaction makes each request a 500 that writes nothing, if there is no client at boot', async () => {
    const app = await start({ getClient: (_: object) => open() });
    const answers = [
      await app.rpc.call('post/create', ALIEN),
      await app.rpc.call('tag/create', { data: { name: 'x' } }),
      await app.rest.get('/tag/1'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    expect(lines.errors).toHaveLength(3);
    expect(lines.errors[0]).toContain('$transaction');
    expect(await database.prisma.post.count({ where: { title: 'alien' } })).toBe(0);
    expect(await database.prisma.tag.count({ where: { name: 'x' } })).toBe(0);
  });

  it('that only reads needs no $transaction', async () => {
    const app = await start({ getClient: () => ({ tag: { findMany: () => Promise.resolve([{ id: 1, name: 'a' }]), count: () => 1 } }) });
    expect((await app.rest.get('/tag')).status).toBe(200);
  });

  // The arguments of the operations have no common type.
  const pass = ({ args, query }: { args: unknown; query: (args: never) => unknown }): unknown => query(args as never);
  const own = (): unknown => undefined;

  it.each([
    [{ query: { post: { delete: pass } } }, 'delete as deleteMany', 'post.delete'],
    [{ query: { $allModels: { createMany: pass, findMany: pass } } }, 'createMany as createManyAndReturn, create', '$allModels.createMany'],
    [{ query: { tag: { upsert: pass } } }, 'upsert as create, update, updateMany', 'tag.upsert'],
    [{ query: { tag: { updateMany: pass } } }, 'updateMany as updateManyAndReturn', 'tag.updateMany'],
    [{ model: { post: { delete: own } } }, 'delete as deleteMany', 'post.delete'],
  ])(
    'with an extension that would not run is a configuration error at boot, unless bypassedHooks names the hook: %#',
    async (extension, made, name) => {
      // The extensions of the table have no common type.
      const extended = database.prisma.$extends({ name: 'first', ...extension } as never) as unknown as typeof database.prisma;
      const getClient = (): object => extended.$extends({ name: 'last', client: { hello: own } });
      const refused = start({ getClient });
      await expect(refused).rejects.toThrow(`Under rules, ${name} of the data client's extensions may not run`);
      await expect(refused).rejects.toThrow(made);
      await expect(refused).rejects.toThrow(`bypassedHooks: ['${name}']`);
      await expect(start({ getClient, bypassedHooks: [name] })).resolves.toBeDefined();
    },
  );

  it.each([[{ tag: { $allOperations: pass } }], [{ $allModels: { $allOperations: pass } }], [{ $allOperations: pass }]])(
    'with a hook on $allOperations is a warning at boot, because the hook receives other operations than requested: %#',
    async (query) => {
      await start({ getClient: () => database.prisma.$extends({ query } as never) });
      expect(warnings()).toHaveLength(1);
      expect(warnings()[0]).toContain('updateMany as updateManyAndReturn');
      expect(warnings()[0]).toMatch(/^\/api\/rest, \/api\/rpc: /);
    },
  );

  it('with an extension that would not run makes each request a 500 that writes nothing, if there is no client at boot', async () => {
    const extend = (_: object): object => database.prisma.$extends({ query: { post: { delete: pass } } } as never);
    const app = await start({ getClient: extend });
    expect([(await app.rest.get('/tag/1')).status, (await app.rest.delete('/post/1')).status]).toEqual([500, 500]);
    expect(lines.errors[0]).toContain('bypassedHooks');
    expect(await database.prisma.post.count({ where: { id: 1 } })).toBe(1);
  });

  it.each([
    ['has no extension', () => database.prisma],
    ...onDatabases('postgresql').rows<[string, () => object]>([
      ['is bound to its caller', () => withRowLevelSecurity(database.prisma, { settings: { 'app.user_id': 1 } })],
    ]),
    [
      'has extensions of other operations',
      () => database.prisma.$extends({ query: { post: { findMany: pass, create: pass } }, model: { post: { mark: own } } } as never),
    ],
  ])('is no warning if it %s', async (_, getClient) => {
    const app = await start({ getClient });
    expect((await app.rest.get('/tag/1')).status).toBe(200);
    expect(warnings()).toEqual([]);
  });

  it('with hooks is no warning without rules, and runs them', async () => {
    const seen: string[] = [];
    const note = ({ args, query, operation }: { args: unknown; query: (args: never) => unknown; operation: string }): unknown => {
      seen.push(operation);
      return query(args as never);
    };
    const extended = database.prisma.$extends({ query: { tag: { $allOperations: note } } } as never);
    const app = await startTestApp({ platform, logger: lines, options: { getClient: () => extended } });
    apps.push(app);
    await app.rpc.call('tag/createMany', { data: [{ name: 'x' }] });
    await app.rpc.call('tag/upsert', { where: { id: 1 }, create: { name: 'y' }, update: { name: 'y' } });
    expect(seen).toEqual(['createMany', 'upsert']);
    expect(warnings()).toEqual([]);
  });
});
