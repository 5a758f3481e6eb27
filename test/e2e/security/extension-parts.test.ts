import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import {
  AfterWrite,
  ConfigurationError,
  ResourceHooks,
  type ResourceApiOptions,
  withRowLevelSecurity,
  withSql,
  withSqlReads,
} from '../../../lib/index.js';
import { DELEGATE_OPERATIONS, type PrismaOperation, WRITING_OPERATIONS } from '../../../lib/prisma/words.js';
import { sample } from '../../support/sample.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { onPlatforms, startTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.js';

@ResourceHooks('Post')
class PostHooks {
  @AfterWrite()
  note(): void {
    return undefined;
  }
}

@Module({ providers: [PostHooks] })
class HooksModule {}

/** The options and wrappers between requests and the client. */
interface Stage {
  readonly options?: Partial<ResourceApiOptions>;
  readonly imports?: TestAppOptions['imports'];
  /** Wraps the extended client. */
  readonly wrap?: (client: object) => object;
  /** Wraps the client before it is extended. */
  readonly base?: (client: object) => object;
}

const RULES = { 'Post': { '*': { id: { gt: 0 } } }, '*': true } as const;

const STAGES: Readonly<Record<string, Stage>> = {
  'Prisma': {},
  'rules': { options: { rules: RULES } },
  'hooks': { imports: [HooksModule] },
  'soft delete': { options: { resources: { Post: { softDelete: 'publishedAt' } } } },
  'row-level security': { wrap: (client) => withRowLevelSecurity(client as PrismaClient, { settings: { 'app.user_id': 1 } }) },
  'SQL reads of the extended client': { wrap: (client) => withSqlReads(client) },
  'SQL reads, extended afterwards': { base: (client) => withSqlReads(client) },
  'SQL reads, extended afterwards, under rules': { base: (client) => withSqlReads(client), options: { rules: RULES } },
};

const NEW_POST = { title: 'new', authorId: 1, updatedAt: '2026-01-01T00:00:00.000Z' };

/** A request in RPC for each operation of a delegate. */
const REQUESTS: Readonly<Record<PrismaOperation, unknown>> = {
  findUnique: { where: { id: 1 } },
  findUniqueOrThrow: { where: { id: 1 } },
  findFirst: { where: { id: 1 } },
  findFirstOrThrow: { where: { id: 1 } },
  findMany: { take: 2 },
  count: {},
  aggregate: { _count: true },
  groupBy: { by: ['authorId'], _count: true },
  create: { data: NEW_POST },
  createMany: { data: [NEW_POST, { ...NEW_POST, title: 'other' }] },
  createManyAndReturn: { data: [NEW_POST, { ...NEW_POST, title: 'other' }] },
  update: { where: { id: 1 }, data: { title: 'changed' } },
  updateMany: { where: { id: 1 }, data: { title: 'changed' } },
  updateManyAndReturn: { where: { id: 1 }, data: { title: 'changed' } },
  upsert: { where: { id: 1 }, create: NEW_POST, update: { title: 'changed' } },
  delete: { where: { id: 12 } },
  deleteMany: { where: { id: 12 } },
};

/** The request of REST that executes an operation, by method and path. */
const REST: Readonly<Partial<Record<PrismaOperation, readonly [method: string, path: string, body?: unknown]>>> = {
  findUnique: ['GET', '/post/1'],
  findMany: ['GET', '/post'],
  count: ['GET', '/post'],
  create: ['POST', '/post', { data: { type: 'post', attributes: { ...NEW_POST } } }],
  update: ['PATCH', '/post/1', { data: { type: 'post', id: 1, attributes: { title: 'changed' } } }],
  delete: ['DELETE', '/post/12'],
};

type Note = (operation: string) => unknown;

/** A query hook that notes its operation. */
const hookOf =
  (note: Note) =>
  ({ args, query, operation }: { args: unknown; query: (args: never) => unknown; operation: string }): unknown => {
    note(operation);
    return query(args as never);
  };

/** The parts of an extension that receive operations of posts. */
const PARTS: readonly (readonly [name: string, make: (operations: readonly string[], note: Note) => object])[] = [
  ['query of the model', (operations, note) => ({ query: { post: members(operations, () => hookOf(note)) } })],
  ['query of $allModels', (operations, note) => ({ query: { $allModels: members(operations, () => hookOf(note)) } })],
  ['model, overriding', (operations, note) => ({ model: { post: members(operations, (operation) => overriding(operation, note)) } })],
];

function members(operations: readonly string[], make: (operation: string) => unknown): object {
  return Object.fromEntries(operations.map((operation) => [operation, make(operation)]));
}

/** Returns a method that replaces one of the delegate. It reads and writes nothing, so that the request may fail. */
function overriding(operation: string, note: Note): () => Promise<unknown> {
  return () => {
    note(operation);
    if (operation === 'count') return Promise.resolve(12);
    return Promise.resolve(operation.endsWith('Many') && operation !== 'findMany' ? { count: 0 } : []);
  };
}

onDatabases('postgresql').describe('extensions of the data client', () => {
  onPlatforms('run, or are a configuration error', (platform) => {
    let database: TestDatabase;

    beforeAll(async () => {
      database = await openTestDatabase();
    });
    beforeEach(() => database.reset());
    afterAll(() => database.close());

    /** The rows of the seed, none of them deleted. */
    async function restore(): Promise<void> {
      await database.reset();
      await database.prisma.post.updateMany({ data: { publishedAt: null } });
    }

    interface Started {
      readonly app: TestApp;
    }

    /** @returns undefined if the application does not start */
    async function start({ options, imports, wrap = same, base = same }: Stage, extension: object): Promise<Started | undefined> {
      const prisma = base(database.prisma) as typeof database.prisma;
      const extended = prisma.$extends({ name: 'of the application', ...extension });
      try {
        const client = wrap(extended);
        const { resources, ...others } = options ?? {};
        const app = await startTestApp({
          platform,
          ...(imports && { imports }),
          options: { getClient: () => client, ...others, ...(resources && { resources }) },
        });
        return { app };
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigurationError);
        expect(String(error)).toMatch(/post\.|\$allModels\.|`query`|`result`/);
        return undefined;
      }
    }

    /** Sends the requests of operations, and returns those that the extension has not received. */
    async function missedBy(app: TestApp, operations: readonly PrismaOperation[], received: Set<string>): Promise<readonly string[]> {
      const missed: string[] = [];
      for (const operation of operations) {
        await restore();
        received.clear();
        await app.rpc.call(`post/${operation}`, REQUESTS[operation]).catch(ignore);
        if (!received.has(operation)) missed.push(`RPC ${operation}`);
        const [method, path, body] = REST[operation] ?? [];
        if (path === undefined) continue;
        await restore();
        received.clear();
        await app.rest.request(method as 'GET', path, { body }).catch(ignore);
        if (!received.has(operation)) missed.push(`REST ${operation}`);
      }
      return missed;
    }

    /** Reads are always executed as requested, so that one client can hook all of them. */
    const GROUPS: readonly (readonly PrismaOperation[])[] = [
      DELEGATE_OPERATIONS.filter((operation) => !WRITING_OPERATIONS.some((one) => one === operation)),
      ...WRITING_OPERATIONS.map((operation) => [operation]),
    ];

    // Every part alone, and one part under each stage.
    const cells = Object.entries(STAGES).flatMap(([stage, setup], index) =>
      PARTS.filter((_, part) => index < 2 || part === index % PARTS.length).map(([part, make]) => [stage, part, setup, make] as const),
    );

    it.each(sample.oneIn(10, cells))(
      'under %s, %s: an operation is received, or the application does not start',
      async (_, __, stage, make) => {
        const missed: string[] = [];
        for (const operations of GROUPS) {
          const received = new Set<string>();
          const started = await start(
            stage,
            make(operations, (operation) => received.add(operation)),
          );
          if (started) missed.push(...(await missedBy(started.app, operations, received)));
          await started?.app.close();
        }
        expect(missed).toEqual([]);
      },
    );

    it.each(sample.oneIn(3, Object.entries(STAGES)))(
      'under %s, hooks on $allOperations receive an operation of every request',
      async (_, stage) => {
        for (const place of ['post', '$allModels', undefined]) {
          const part = (note: Note): object => {
            const hooks = { $allOperations: hookOf(note) };
            return { query: place === undefined ? hooks : { [place]: hooks } };
          };
          const operations: string[] = [];
          const started = await start(
            stage,
            part((operation) => operations.push(operation)),
          );
          for (const operation of started ? DELEGATE_OPERATIONS : []) {
            await restore();
            operations.length = 0;
            expect([200, 201]).toContain((await started?.app.rpc.call(`post/${operation}`, REQUESTS[operation]))?.status);
            expect([operation, operations.length > 0]).toEqual([operation, true]);
          }
          await started?.app.close();
        }
      },
    );

    it.each(sample.oneIn(3, Object.entries(STAGES)))('under %s, added methods have no effect', async (_, stage) => {
      const started = await start(stage, {
        model: { post: { newest: () => 1 }, $allModels: { oldest: () => 2 } },
        client: { $hello: () => 3 },
      });
      expect((await started?.app.rest.get('/post'))?.status).toBe(200);
      await started?.app.close();
    });

    it('under rules, run a bypassed hook that is covered or accepted', async () => {
      const part = (...operations: readonly string[]) => ({
        query: { post: Object.fromEntries(operations.map((operation) => [operation, hookOf(() => undefined)])) },
      });
      const rules = STAGES['rules'] ?? {};
      expect(await start(rules, part('delete'))).toBeUndefined();
      const accepting: Stage = { options: { ...rules.options, bypassedHooks: ['post.delete'] } };
      for (const started of [await start(rules, part('delete', 'deleteMany')), await start(accepting, part('delete'))]) {
        await database.reset();
        expect((await started?.app.rest.delete('/post/12'))?.status).toBe(204);
        await started?.app.close();
      }
      expect(await start(accepting, part('delete', 'upsert'))).toBeUndefined();
    });

    it.each(['query', 'model'])('totals are not estimated if an extension hooks counts by %s', async (kind) => {
      let counts = 0;
      const part = kind === 'query' ? PARTS[0] : PARTS[2];
      const extension = part?.[1](['count'], () => counts++) ?? {};
      const app = await startTestApp({
        platform,
        options: {
          getClient: () => database.prisma.$extends(extension),
          rest: { count: { default: 'estimated', exactUpTo: 3 } },
        },
      });
      const { document } = await app.rest.get('/post?page[limit]=1');
      expect([document.meta, counts > 0]).toMatchObject([{ total: 12 }, true]);
      await app.close();
    });

    it.each<readonly [string, object]>([
      ['an override of a model', { model: { post: { findMany: () => [] } } }],
      ['an override of all models', { model: { $allModels: { delete: () => null } } }],
      ['an override of $transaction', { client: { $transaction: () => null } }],
    ])('%s is rejected by withSqlReads and withSql', (_, extension) => {
      const extended = Reflect.apply(database.prisma.$extends, database.prisma, [extension]) as object;
      const pool = { connect: () => Promise.reject(new Error('not used')) };
      expect(() => withSqlReads(extended)).toThrow(ConfigurationError);
      expect(() => withSql(extended, { pool, writes: true })).toThrow(ConfigurationError);
      expect(() => withSql((extended as typeof database.prisma).$extends({ name: 'another' }), { pool })).toThrow(ConfigurationError);
    });
  });
});

function same(client: object): object {
  return client;
}

/** Ignores the response to an override of the test, which need not be valid. */
function ignore(): void {
  return undefined;
}
