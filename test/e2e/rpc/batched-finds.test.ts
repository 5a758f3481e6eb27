import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataClient } from '../../../lib/executor/data-client.js';
import type { Executor } from '../../../lib/executor/executor.js';
import { executorWithDeadline } from '../../../lib/executor/deadline.js';
import { batchFindUnique } from '../../../lib/executor/batch-find-unique.js';
import { prismaExecutor } from '../../../lib/executor/prisma-executor.js';
import type { FindUnique } from '../../../lib/query/read.js';
import type { Row } from '../../../lib/query/result.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases, THIS_DATABASE } from '../../support/databases/this-database.js';
import { PRODUCT } from '../../support/seed.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { find } from './find-by-key.js';

/** An integer that a JavaScript number cannot represent exactly. */
const LARGE = 9_007_199_254_740_993n;

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(() => database.reset());
afterAll(() => database.close());

/** Starts finds in one tick of the event loop. Returns the row of each, or the code of its error. */
function findInOneTick(client: DataClient, queries: readonly FindUnique[]): Promise<readonly (Row | null | string)[]> {
  const codeOf = (error: unknown): string => (error as { readonly code: string }).code;
  return Promise.all(
    queries.map((query) =>
      batchFindUnique(prismaExecutor(client, { batchesFinds: true }), client)
        .run(query)
        .catch(codeOf),
    ),
  );
}

const statements = (): readonly string[] => database.statements.queries;

describe('finds by a key in one tick of the event loop', () => {
  it('are one statement, and each returns its own row', async () => {
    const rows = await findInOneTick(
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

  it('are one statement also by bigint and text keys', async () => {
    const orders = [LARGE, LARGE - 1n, 1n].map((id) => find(id, { model: 'Order' }));
    expect(await findInOneTick(database.prisma, orders)).toEqual([{ id: LARGE }, null, { id: 1n }]);
    const codes = ['NL', 'DE'].map((code) => find(code, { model: 'Country', by: 'code' }));
    expect(await findInOneTick(database.prisma, codes)).toEqual([{ code: 'NL' }, { code: 'DE' }]);
    expect(statements().filter((sql) => sql.includes(' IN '))).toHaveLength(2);
  });

  it('are split into statements of at most sixteen', async () => {
    const rows = await findInOneTick(
      database.prisma,
      Array.from({ length: 33 }, (_, index) => find(1 + (index % 5))),
    );
    expect(rows).toEqual(Array.from({ length: 33 }, (_, index) => ({ id: 1 + (index % 5) })));
    expect(statements()).toHaveLength(3);
  });

  it('of the same row return an object each', async () => {
    const [one, other] = await findInOneTick(database.prisma, [find(1), find(1)]);
    expect(one).toEqual(other);
    expect(one).not.toBe(other);
  });

  it('are repeated one by one if a row is missing', async () => {
    expect(await findInOneTick(database.prisma, [find(1), find(99), find(2)])).toEqual([{ id: 1 }, null, { id: 2 }]);
    expect(statements()).toHaveLength(2);
    const required = [1, 99].map((id) => find(id, { isRequired: true }));
    expect(await findInOneTick(database.prisma, required)).toEqual([{ id: 1 }, 'P2025']);
  });

  onDatabases('postgresql', 'mariadb').it(
    'find a row by a key that only the collation of the database equates with the stored one',
    async () => {
      const [model, by, otherwise, stored] =
        THIS_DATABASE === 'mariadb' ? ['Country', 'code', 'nl', 'NL'] : ['Product', 'id', PRODUCT.atlas.toUpperCase(), PRODUCT.atlas];
      const keys = [otherwise, stored].map((key) => find(key, { model, by }));
      expect(await findInOneTick(database.prisma, keys)).toEqual([{ [by]: stored }, { [by]: stored }]);
    },
  );

  onDatabases('postgresql').it('by a value of the wrong type fail alone, while the others return their rows', async () => {
    const ids = ['no uuid', PRODUCT.atlas, PRODUCT.globe].map((id) => find(id, { model: 'Product' }));
    const alone = await findInOneTick(database.prisma, ids.slice(0, 1));
    expect(await findInOneTick(database.prisma, ids)).toEqual([...alone, { id: PRODUCT.atlas }, { id: PRODUCT.globe }]);
    expect(alone).toEqual([expect.stringMatching(/^P20/)]);
  });

  it('are not repeated after a lost connection', async () => {
    let calls = 0;
    const lost = Object.assign(new Error('Server has closed the connection.'), { name: 'PrismaClientKnownRequestError', code: 'P1017' });
    const client = plainClient({ user: { findUnique: () => Promise.reject((calls++, lost)) } });
    expect(await findInOneTick(client, [find(1), find(2)])).toEqual(['P1017', 'P1017']);
    expect(calls).toBe(2);
  });

  it('return the selected members of each, in the order of its selection', async () => {
    const selections = [['id', 'name'], ['name', 'id'], ['name'], ['id', 'name']];
    const rows = await findInOneTick(
      database.prisma,
      selections.map((fields, index) => find(index + 1, { fields })),
    );
    expect(rows.map((row) => Object.keys(row ?? {}))).toEqual(selections);
    expect(statements()).toHaveLength(3);
  });

  it('are neither started nor repeated after the deadline', async () => {
    const calls: unknown[] = [];
    let isOver = false;
    const waiting = {
      throwIfAborted: () => {
        if (isOver) throw new Error('Too late.');
      },
    };
    const user = {
      findUnique: (args: unknown) => {
        calls.push(args);
        isOver = true;
        return Promise.resolve(null);
      },
      findFirst: (args: unknown) => Promise.resolve(void calls.push(args)),
    };
    const client = plainClient({ user });
    const executor = (): Executor => batchFindUnique(executorWithDeadline(prismaExecutor(client, { batchesFinds: true }), waiting), client);
    const ends = await Promise.allSettled([executor().run(find(1)), executor().run(find(2))]);
    expect(ends).toEqual([1, 2].map(() => ({ status: 'rejected', reason: new Error('Too late.') })));
    expect(calls).toHaveLength(1);
  });

  it('return although fake timers of a test replace setImmediate', async () => {
    const { setImmediate: real } = globalThis;
    Reflect.set(globalThis, 'setImmediate', () => undefined);
    try {
      expect(await findInOneTick(plainClient({ user: { findUnique: () => Promise.resolve({ id: 1 }) } }), [find(1)])).toEqual([{ id: 1 }]);
    } finally {
      Reflect.set(globalThis, 'setImmediate', real);
    }
  });

  it('run one by one on an extended client and in a transaction', async () => {
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
    expect(await findInOneTick(extended, [find(1), find(99)])).toEqual([{ id: 1 }, null]);
    expect(seen).toEqual([1, 99]);
    const inside = await database.prisma.$transaction((open) => findInOneTick(open, [find(1), find(99)]));
    expect(inside).toEqual([{ id: 1 }, null]);
  });
});

/** Returns a client with the members of a Prisma client without extensions. */
function plainClient(delegates: object): DataClient {
  return { ...delegates, _extensions: {}, _globalOmit: undefined, $connect: () => Promise.resolve() };
}

onPlatforms.all('simultaneous requests, with shareReads', (platform) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ platform, database, options: { shareReads: true } });
  });
  afterAll(() => app.close());

  it('return each its own record, in REST and in RPC', async () => {
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
