import type { DataClient } from '../../../lib/executor/data-client.js';
import { prismaExecutor } from '../../../lib/executor/prisma-executor.js';
import { withRowLevelSecurity } from '../../../lib/index.js';
import type { FindUnique } from '../../../lib/query/read.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases, THIS_DATABASE } from '../../support/databases/this-database.js';
import { PRODUCT } from '../../support/seed.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { find } from './find-by-key.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

const statements = (): readonly string[] => database.statements.queries;

describe('finds of several executors in one tick, without batches', () => {
  const WANTED: readonly (readonly [string, (index: number) => FindUnique])[] = [
    ['a key', (index) => find(1 + (index % 5))],
    ['a key, which are required', (index) => find(1 + (index % 5), { isRequired: true })],
    ['a unique field', (index) => find(index % 2 ? 'NL' : 'DE', { model: 'Country', by: 'code' })],
  ];

  it.each(WANTED)('by %s are a statement each', async (_, wanted) => {
    const queries = Array.from({ length: 20 }, (__, index) => wanted(index));
    const rows = await Promise.all(queries.map((query) => prismaExecutor(database.prisma).run(query)));
    expect(rows.every((row) => row !== null)).toBe(true);
    expect(statements()).toHaveLength(20);
  });

  it('of a client with a query hook are a statement each', async () => {
    const hooked = database.prisma.$extends({ query: { $allOperations: async ({ args, query }) => query(await Promise.resolve(args)) } });
    await Promise.all(Array.from({ length: 20 }, (_, index) => prismaExecutor(hooked).run(find(1 + (index % 5)))));
    expect(statements()).toHaveLength(20);
  });

  /** Returns a client whose hook holds its finds back until `count` of them wait. */
  function gated(count: number, hook: 'findUnique' | '$allOperations' | '$allModels'): DataClient {
    let waiting: (() => void)[] = [];
    const wait = async <Args, Result>({ args, query }: { args: Args; query: (args: Args) => Promise<Result> }): Promise<Result> => {
      await new Promise<void>((resolve) => {
        if (waiting.push(resolve) < count) return;
        for (const go of waiting) go();
        waiting = [];
      });
      return query(args);
    };
    const operations = { findUnique: wait, findUniqueOrThrow: wait };
    switch (hook) {
      case 'findUnique':
        return database.prisma.$extends({ query: { user: operations, country: operations, product: operations } });
      case '$allModels':
        return database.prisma.$extends({ query: { $allModels: operations } });
      case '$allOperations':
        return database.prisma.$extends({ query: { $allOperations: wait } });
    }
  }

  const HOOKS = ['findUnique', '$allOperations', '$allModels'] as const;

  it.each(HOOKS.flatMap((hook) => WANTED.map(([key, wanted]) => ({ hook, key, wanted }))))(
    'by $key are a statement each if hooks of $hook await one promise',
    async ({ hook, wanted }) => {
      const client = gated(20, hook);
      const queries = Array.from({ length: 20 }, (__, index) => wanted(index));
      const rows = await Promise.all(queries.map((query) => prismaExecutor(client).run(query)));
      expect(rows.every((row) => row !== null)).toBe(true);
      expect(statements()).toHaveLength(20);
    },
  );

  it.each(HOOKS)('return each its own row or error if hooks of %s await one promise', async (hook) => {
    const [model, by] = THIS_DATABASE === 'postgresql' ? ['Product', 'id'] : ['Country', 'code'];
    const keys = THIS_DATABASE === 'postgresql' ? [PRODUCT.atlas.toUpperCase(), PRODUCT.globe, 'no uuid'] : ['nl', 'NL', 'DE'];
    const endOf = (client: DataClient, key: string): Promise<unknown> =>
      prismaExecutor(client)
        .run(find(key, { model, by }))
        .catch((error: unknown) => (error as { readonly code: string }).code);
    const alone: unknown[] = [];
    for (const key of keys) alone.push(await endOf(database.prisma, key));
    const client = gated(keys.length, hook);
    expect(await Promise.all(keys.map((key) => endOf(client, key)))).toEqual(alone);
  });

  onDatabases('postgresql').it('return each its own row if the hooks run before or after those of row-level security', async () => {
    const policy = { role: 'pg_read_all_data', settings: { 'app.user': '1' } };
    const wait = async <Args, Result>({ args, query }: { args: Args; query: (args: Args) => Promise<Result> }): Promise<Result> => {
      return query(await Promise.resolve(args));
    };
    const hooks = { query: { $allOperations: wait } };
    const extended = withRowLevelSecurity(database.prisma.$extends(hooks), policy);
    const secured = withRowLevelSecurity(database.prisma, policy).$extends(hooks);
    for (const client of [extended, secured]) {
      const rows = await Promise.all([1, 2, 99].map((id) => prismaExecutor(client).run(find(id))));
      expect(rows).toEqual([{ id: 1 }, { id: 2 }, null]);
    }
  });
});

onPlatforms.all('simultaneous requests, without shareReads', (platform) => {
  let app: TestApp;
  let waiting: ((client: DataClient) => void)[] = [];

  /** Resolves with all clients in one microtask, so that Prisma could batch all finds. */
  const getClient = (): Promise<DataClient> => {
    return new Promise((resolve) => {
      if (waiting.push(resolve) < REQUESTS) return;
      for (const give of waiting) give(database.prisma);
      waiting = [];
    });
  };

  beforeAll(async () => {
    app = await startTestApp({ platform, options: { getClient: (_: unknown) => getClient() } });
  });
  afterAll(() => app.close());

  const REQUESTS = 12;
  const rpc = (operation: string, args: unknown): string => `/api/rpc/${operation}?q=${encodeURIComponent(JSON.stringify(args))}`;

  it.each([
    ['a record', (id: number) => `/api/rest/post/${id}`],
    ['findUnique', (id: number) => rpc('post/findUnique', { where: { id } })],
    ['findUniqueOrThrow', (id: number) => rpc('post/findUniqueOrThrow', { where: { id }, select: { title: true } })],
    ['findUnique with a related record', (id: number) => rpc('post/findUnique', { where: { id }, include: { author: true } })],
    [
      'findUnique by a compound key',
      (id: number) => rpc('translation/findUnique', { where: { locale_key: { locale: 'en', key: `key${id}` } } }),
    ],
    ['findUnique with a condition', (id: number) => rpc('post/findUnique', { where: { id, published: true } })],
  ])('make a statement each of %s', async (_, path) => {
    database.statements.clear();
    await Promise.all(Array.from({ length: REQUESTS }, (__, index) => fetch(`${app.url}${path(1 + index)}`)));
    const values = database.statements.all.filter((text) => /from/i.test(text) && / in \(/i.test(text) && !/author|User/.test(text));
    expect(values).toEqual([]);
    expect(database.statements.all.filter((text) => /"?(Post|Translation)"?\b/.test(text)).length).toBeGreaterThanOrEqual(REQUESTS);
  });
});
