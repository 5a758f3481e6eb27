import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataClient } from '../../../lib/data-client/data-client.js';
import type { Executor } from '../../../lib/data-client/executor.js';
import { executorInTime } from '../../../lib/data-client/executor-in-time.js';
import { findingTogether } from '../../../lib/data-client/finds-together.js';
import { prismaExecutor } from '../../../lib/data-client/prisma-executor.js';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { storedModel } from '../../../lib/model/storage/stored-model.js';
import { selectFields } from '../../../lib/query/fields.js';
import { uniqueCondition } from '../../../lib/query/key.js';
import type { FindUnique } from '../../../lib/query/read.js';
import type { Row } from '../../../lib/query/result.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { itOn, THIS_DATABASE } from '../../support/databases/this-database.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { PRODUCT } from '../../support/seed.js';
import { describeOnEachPlatform, startTestApp, type TestApp } from '../../support/test-app.js';

const STORAGE = buildStorage(resourceSchema);

/** More than a number of JavaScript tells apart from its neighbours. */
const LARGE = 9_007_199_254_740_993n;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

interface Wanted {
  readonly model?: string;
  /** The field of a key, and its value. */
  readonly by?: string;
  readonly fields?: readonly string[];
  readonly isRequired?: boolean;
}

function find(value: unknown, { model: name = 'User', by = 'id', fields = [by], isRequired = false }: Wanted = {}): FindUnique {
  const model = storedModel(STORAGE, name);
  const where = uniqueCondition(model, { name: by, fields: [{ name: by }] }, { [by]: value });
  return { kind: 'find-unique', model, where, selection: selectFields(model, fields), isRequired };
}

/** What comes of finds that begin in one turn of the event loop, each for itself; of an error its code. */
function together(client: DataClient, queries: readonly FindUnique[]): Promise<readonly (Row | null | string)[]> {
  const codeOf = (error: unknown): string => (error as { readonly code: string }).code;
  return Promise.all(
    queries.map((query) =>
      findingTogether(prismaExecutor(client, { batchesFinds: true }), client)
        .run(query)
        .catch(codeOf),
    ),
  );
}

const statements = (): readonly string[] => database.statements.queries;

describe('finds by a key in one turn of the event loop', () => {
  it('are one statement, and each has its row', async () => {
    const rows = await together(
      database.prisma,
      [3, 1, 5].map((id) => find(id, { fields: ['id', 'name'] })),
    );
    expect(rows).toEqual([
      { id: 3, name: 'Alan Turing' },
      { id: 1, name: 'Ada Lovelace' },
      { id: 5, name: 'Barbara Liskov' },
    ]);
    expect(statements()).toHaveLength(1);
  });

  it('are so by bigints and by texts', async () => {
    const orders = [LARGE, LARGE - 1n, 1n].map((id) => find(id, { model: 'Order' }));
    expect(await together(database.prisma, orders)).toEqual([{ id: LARGE }, null, { id: 1n }]);
    const codes = ['NL', 'DE'].map((code) => find(code, { model: 'Country', by: 'code' }));
    expect(await together(database.prisma, codes)).toEqual([{ code: 'NL' }, { code: 'DE' }]);
    expect(statements().filter((sql) => sql.includes(' IN '))).toHaveLength(2);
  });

  it('are at most sixteen of a statement', async () => {
    const rows = await together(
      database.prisma,
      Array.from({ length: 33 }, (_, index) => find(1 + (index % 5))),
    );
    expect(rows).toEqual(Array.from({ length: 33 }, (_, index) => ({ id: 1 + (index % 5) })));
    expect(statements()).toHaveLength(3);
  });

  it('of one row have an object of it each', async () => {
    const [one, other] = await together(database.prisma, [find(1), find(1)]);
    expect(one).toEqual(other);
    expect(one).not.toBe(other);
  });

  it('are asked by themselves where a row is not found', async () => {
    expect(await together(database.prisma, [find(1), find(99), find(2)])).toEqual([{ id: 1 }, null, { id: 2 }]);
    expect(statements()).toHaveLength(2);
    const required = [1, 99].map((id) => find(id, { isRequired: true }));
    expect(await together(database.prisma, required)).toEqual([{ id: 1 }, 'P2025']);
  });

  itOn('postgresql', 'mariadb')('find a row whose key the database spells otherwise', async () => {
    const [model, by, otherwise, stored] =
      THIS_DATABASE === 'mariadb' ? ['Country', 'code', 'nl', 'NL'] : ['Product', 'id', PRODUCT.atlas.toUpperCase(), PRODUCT.atlas];
    const keys = [otherwise, stored].map((key) => find(key, { model, by }));
    expect(await together(database.prisma, keys)).toEqual([{ [by]: stored }, { [by]: stored }]);
  });

  itOn('postgresql')('fail each for itself where a value is none of its type', async () => {
    const ids = ['no uuid', PRODUCT.atlas, PRODUCT.globe].map((id) => find(id, { model: 'Product' }));
    const alone = await together(database.prisma, ids.slice(0, 1));
    expect(await together(database.prisma, ids)).toEqual([...alone, { id: PRODUCT.atlas }, { id: PRODUCT.globe }]);
    expect(alone).toEqual([expect.stringMatching(/^P20/)]);
  });

  it('are not asked again where the database is not there', async () => {
    let asked = 0;
    const lost = Object.assign(new Error('Server has closed the connection.'), { name: 'PrismaClientKnownRequestError', code: 'P1017' });
    const client = plainClient({ user: { findUnique: () => Promise.reject((asked++, lost)) } });
    expect(await together(client, [find(1), find(2)])).toEqual(['P1017', 'P1017']);
    expect(asked).toBe(2);
  });

  it('have each the members that were asked for, in their order', async () => {
    const selections = [['id', 'name'], ['name', 'id'], ['name'], ['id', 'name']];
    const rows = await together(
      database.prisma,
      selections.map((fields, index) => find(index + 1, { fields })),
    );
    expect(rows.map((row) => Object.keys(row ?? {}))).toEqual(selections);
    expect(statements()).toHaveLength(3);
  });

  it('are not begun, nor asked again, once nobody waits for them', async () => {
    const asked: unknown[] = [];
    let isOver = false;
    const waiting = {
      throwIfAborted: () => {
        if (isOver) throw new Error('Too late.');
      },
    };
    const user = {
      findUnique: (args: unknown) => {
        asked.push(args);
        isOver = true;
        return Promise.resolve(null);
      },
      findFirst: (args: unknown) => Promise.resolve(void asked.push(args)),
    };
    const client = plainClient({ user });
    const executor = (): Executor => findingTogether(executorInTime(prismaExecutor(client, { batchesFinds: true }), waiting), client);
    const ends = await Promise.allSettled([executor().run(find(1)), executor().run(find(2))]);
    expect(ends).toEqual([1, 2].map(() => ({ status: 'rejected', reason: new Error('Too late.') })));
    expect(asked).toHaveLength(1);
  });

  it('come where a test of the host holds its timers', async () => {
    const { setImmediate: real } = globalThis;
    Reflect.set(globalThis, 'setImmediate', () => undefined);
    try {
      expect(await together(plainClient({ user: { findUnique: () => Promise.resolve({ id: 1 }) } }), [find(1)])).toEqual([{ id: 1 }]);
    } finally {
      Reflect.set(globalThis, 'setImmediate', real);
    }
  });

  it('are asked one by one of a client that somebody has extended, and in a transaction', async () => {
    const seen: unknown[] = [];
    const extended = database.prisma.$extends({
      query: {
        user: {
          findUnique: ({ args, query }) => {
            seen.push(args.where.id);
            return query(args);
          },
        },
      },
    });
    expect(await together(extended, [find(1), find(99)])).toEqual([{ id: 1 }, null]);
    expect(seen).toEqual([1, 99]);
    const inside = await database.prisma.$transaction((open) => together(open, [find(1), find(99)]));
    expect(inside).toEqual([{ id: 1 }, null]);
  });
});

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
});

/** A client that looks like Prisma's own without extensions. */
function plainClient(delegates: object): DataClient {
  return { ...delegates, _extensions: {}, _globalOmit: undefined, $connect: () => Promise.resolve() };
}

describeOnEachPlatform('requests that arrive together, with shareReads', (platform) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ platform, database, options: { shareReads: true } });
  });
  afterAll(() => app.close());

  it('have each its own record, in REST and in RPC', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => 1 + (index % 14));
    const rest = await Promise.all(ids.map((id) => fetch(`${app.url}/api/rest/post/${id}`)));
    expect(rest.map(({ status }) => status)).toEqual(ids.map((id) => (id > 12 ? 404 : 200)));
    const bodies = await Promise.all(rest.map((response) => response.json() as Promise<{ readonly data?: { readonly id: unknown } }>));
    expect(bodies.map(({ data }) => Number(data?.id ?? 0))).toEqual(ids.map((id) => (id > 12 ? 0 : id)));
    const query = (id: number): string => encodeURIComponent(JSON.stringify({ where: { id }, select: { id: true } }));
    const rpc = await Promise.all(ids.map((id) => fetch(`${app.url}/api/rpc/post/findUnique?q=${query(id)}`)));
    expect(await Promise.all(rpc.map((response) => response.json()))).toEqual(ids.map((id) => ({ data: id > 12 ? null : { id } })));
  });
});

describeOnEachPlatform('requests that arrive together, without shareReads', (platform) => {
  let app: TestApp;
  let waiting: ((client: DataClient) => void)[] = [];

  /** Gives all clients in one microtask, so that Prisma could batch all finds. */
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
