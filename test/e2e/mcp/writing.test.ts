import { type CanActivate, ConflictException, Module } from '@nestjs/common';
import {
  AfterCommit,
  AfterWrite,
  ResourceAction,
  ResourceActions,
  type ResourceApiOptions,
  ResourceHooks,
  type ResourceOperation,
  resourceOperation,
  withSql,
} from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { call, type CallResult, HAS_SQL, MCP_CLIENTS, post, startMcpApp } from '../../support/mcp.js';
import { sqlReadsOn, type SqlReadsOptions } from '../../support/sql-reads.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';

const noted: string[] = [];

@ResourceHooks('Tag')
class TagHooks {
  @AfterWrite('create', 'update', 'delete')
  written({ action }: { readonly action: string }): void {
    noted.push(`written ${action}`);
  }

  @AfterCommit('create', 'update', 'delete')
  committed(): void {
    noted.push('committed');
  }
}

@ResourceActions('Post')
class PostActions {
  @ResourceAction({ on: 'record', right: 'update' })
  publish({ record, client }: { readonly record: { id: number }; readonly client: TestDatabase['prisma'] }): unknown {
    return client.post.update({ where: { id: record.id }, data: { published: true } });
  }

  @ResourceAction({ on: 'collection', right: 'read' })
  fail(): never {
    throw new ConflictException('Not now.');
  }
}

@Module({ providers: [TagHooks, PostActions] })
class OwnModule {}

interface ListedSchema {
  readonly properties: Readonly<Record<string, { readonly items?: ListedSchema }>>;
}

const ENGINES = HAS_SQL
  ? (['Prisma', 'SQL', 'Prisma under rules', 'SQL under rules'] as const)
  : (['Prisma', 'Prisma under rules'] as const);
const RULES = { 'Tag': { read: true, create: true, update: { name: { not: 'x' } }, delete: { name: { not: 'x' } } }, '*': true } as const;

onPlatforms('writing by MCP', (platform) => {
  let database: TestDatabase;
  let setup: SqlReadsOptions = {};
  const apps = new Map<string, TestApp>();
  const operations: (ResourceOperation | undefined)[] = [];
  const guard: CanActivate = { canActivate: (context) => operations.push(resourceOperation(context)) > 0 };

  const start = async (name: string, options: Partial<Omit<ResourceApiOptions, 'rest'>>, more = {}): Promise<TestApp> => {
    const app = await startMcpApp({ platform, database, options, ...more });
    apps.set(name, app);
    return app;
  };
  const appOf = (name: string): TestApp => {
    const app = apps.get(name);
    if (!app) throw new Error(`There is no app '${name}'.`);
    return app;
  };
  const write = (app: TestApp, args: object, headers?: Record<string, string>): Promise<CallResult> => call(app, 'write', args, headers);

  beforeAll(async () => {
    database = await openTestDatabase();
    const { prisma, connectionString } = database;
    if (HAS_SQL) setup = await sqlReadsOn(connectionString, database.statements);
    const sql = HAS_SQL ? withSql(prisma, setup) : prisma;
    for (const engine of ENGINES) {
      const client = engine.startsWith('SQL') ? sql : prisma;
      await start(engine, { getClient: () => client, guards: [guard], ...(engine.endsWith('rules') && { rules: RULES }) });
    }
    await start('own code', {}, { imports: [OwnModule] });
  }, 60_000);
  beforeEach(async () => {
    noted.length = operations.length = 0;
    await database.reset();
  });
  afterAll(async () => {
    for (const app of apps.values()) await app.close();
    await setup.pool?.end();
    await database.close();
  });

  describe.each(ENGINES)('through %s', (engine) => {
    const BATCH = [
      { model: 'tag', operation: 'create', args: { data: { name: 'new' } } },
      { model: 'tag', operation: 'updateMany', args: { where: { id: { lte: 3 } }, data: { name: { set: 'same' } } } },
      { model: 'post', operation: 'deleteMany', args: { where: { id: -1 } } },
    ];
    const names = async (): Promise<readonly string[]> =>
      (await database.prisma.tag.findMany({ orderBy: { id: 'asc' } })).map(({ name }) => name);

    it('changes nothing in a dry run, which is the default, and reports the changes', async () => {
      const before = await names();
      for (const args of [
        { operations: [{ model: 'tag', operation: 'create', args: { data: { name: 'new' } } }] },
        { operations: [{ model: 'tag', operation: 'update', args: { where: { id: 1 }, data: { name: 'new' } } }], dryRun: true },
        { operations: [{ model: 'tag', operation: 'delete', args: { where: { id: 5 } } }] },
        {
          operations: [{ model: 'tag', operation: 'upsert', args: { where: { id: 1 }, create: { name: 'new' }, update: { name: 'new' } } }],
        },
      ]) {
        const { structuredContent, isError, content } = await write(appOf(engine), args);
        expect([args, isError, structuredContent]).toMatchObject([args, false, { dryRun: true, affected: 1, results: [{ model: 'tag' }] }]);
        expect(content[0]?.text).toMatch(/^Dry run: 1 records would change, and none has\./);
        expect(await names()).toEqual(before);
      }
      const many = await write(appOf(engine), {
        operations: [BATCH[0], { model: 'post', operation: 'updateMany', args: { where: {}, data: { viewCount: 7 } } }, BATCH[2]],
      });
      expect(many.structuredContent).toMatchObject({
        dryRun: true,
        affected: 13,
        results: [{ result: { name: 'new' } }, { result: { count: 12 } }, { result: { count: 0 } }],
      });
      expect(await names()).toEqual(before);
    });

    it('writes all or nothing with dryRun: false', async () => {
      const app = appOf(engine);
      const done = await write(app, { operations: [BATCH[0], BATCH[2]], dryRun: false });
      expect(done).toMatchObject({ isError: false, structuredContent: { dryRun: false, affected: 1 } });
      expect(await names()).toContain('new');
      const before = await names();
      const failed = await write(app, {
        operations: [BATCH[2], { model: 'tag', operation: 'delete', args: { where: { id: 1 } } }, BATCH[1]],
        dryRun: false,
      });
      expect(failed).toMatchObject({
        isError: true,
        structuredContent: { message: expect.stringMatching(/^operations\[2\]: /) as unknown },
      });
      expect(await names()).toEqual(before);
    });

    it('rejects to change more records than maxAffected', async () => {
      const app = appOf(engine);
      const before = await names();
      const operation = { model: 'tag', operation: 'deleteMany', args: { where: { id: { lte: 3 } } } };
      for (const dryRun of [true, false]) {
        const { isError, structuredContent } = await write(app, { operations: [operation], dryRun, maxAffected: 2 });
        expect([isError, structuredContent]).toMatchObject([
          true,
          { status: 400, message: expect.stringContaining('would change 3 records') as unknown },
        ]);
        expect(await names()).toEqual(before);
      }
      const one = await write(app, {
        operations: [{ model: 'tag', operation: 'create', args: { data: { name: 'one' } } }],
        dryRun: false,
        maxAffected: 0,
      });
      expect(one.isError).toBe(true);
      expect(await names()).toEqual(before);
      expect(await write(app, { operations: [operation], dryRun: false, maxAffected: 3 })).toMatchObject({ isError: false });
      expect(await names()).toHaveLength(before.length - 3);
    });

    it('passes each operation to guards', async () => {
      await write(appOf(engine), { operations: BATCH });
      expect(operations.map((operation) => `${operation?.style} ${operation?.model} ${operation?.operation}`)).toEqual([
        'mcp Tag create',
        'mcp Tag updateMany',
        'mcp Post deleteMany',
      ]);
    });

    it('runs an action without a dry run', async () => {
      expect((await call(appOf(engine), 'act', { model: 'post', action: 'deleteMany', where: {} })).isError).toBe(true);
      expect((await call(appOf(engine), 'act', { model: 'post', action: 'nothing' })).isError).toBe(true);
    });
  });

  it('runs @AfterWrite in a dry run, and @AfterCommit only after a commit', async () => {
    const operation = { model: 'tag', operation: 'create', args: { data: { name: 'new' } } };
    await write(appOf('own code'), { operations: [operation] });
    expect(noted).toEqual(['written create']);
    await write(appOf('own code'), { operations: [operation], dryRun: false });
    expect(noted).toEqual(['written create', 'written create', 'committed']);
  });

  it.each(MCP_CLIENTS)('lists and calls the tools for writes by the client of %s', async (_, connect) => {
    const app = appOf('own code');
    const client = await connect(`${app.url}/mcp`);
    try {
      const tools = await client.list();
      expect(tools.map(({ name }) => name)).toEqual(['describe', 'find', 'aggregate', 'write', 'act']);
      expect(tools[3]?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: false });
      expect(JSON.stringify(tools[4])).toContain('"enum":["publish","fail"]');
      const dry = await client.call('write', { operations: [{ model: 'tag', operation: 'create', args: { data: { name: 'x' } } }] });
      expect(dry.structuredContent).toMatchObject({ dryRun: true, results: [{ result: { name: 'x' } }] });
      await database.prisma.post.update({ where: { id: 1 }, data: { published: false } });
      const acted = await client.call('act', { model: 'post', action: 'publish', where: { id: 1 } });
      expect(acted.structuredContent).toMatchObject({ result: { id: 1, published: true } });
      expect(await database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({ published: true });
      const failed = await client.call('act', { model: 'post', action: 'fail' });
      expect(failed).toMatchObject({ isError: true, structuredContent: { status: 409, message: 'Not now.' } });
      const described = await client.call('describe', { model: 'post' });
      expect(JSON.stringify(described.structuredContent)).toContain('"publish"');
    } finally {
      await client.close();
    }
  });

  it('rejects a dry run in a transaction of the application, which could not be rolled back', async () => {
    const { prisma } = database;
    // Like a client of ZenStack in a transaction, which executes a nested one without a savepoint.
    const open = new Proxy(prisma, {
      get: (target, name) => {
        if (name === 'isTransaction') return true;
        if (name === '$transaction') return (work: (client: object) => unknown) => work(target);
        return Reflect.get(target, name) as unknown;
      },
    });
    const app = await start('open transaction', { getClient: () => open }, { logger: false });
    const operation = { model: 'tag', operation: 'update', args: { where: { id: 1 }, data: { name: 'kept?' } } };
    expect(await write(app, { operations: [operation] })).toMatchObject({ isError: true, structuredContent: { status: 500 } });
    expect(await prisma.tag.count({ where: { name: 'kept?' } })).toBe(0);
  });

  it('answers a committed write with a result within limits.maxResponseSize, and truncates the rows', async () => {
    const app = await start('small responses', { limits: { maxResponseSize: 8000 } });
    const operation = { model: 'tag', operation: 'create', args: { data: { name: '"'.repeat(1500) } } };
    const { isError, structuredContent } = await write(app, { operations: [operation], dryRun: false });
    expect(await database.prisma.tag.count()).toBe(6);
    expect([isError, structuredContent]).toMatchObject([
      false,
      { affected: 1, cut: { leftOut: 1, reason: expect.stringContaining('2000 bytes') as unknown } },
    ]);
    const none = { model: 'tag', operation: 'updateMany', args: { where: { id: -1 }, data: { name: { set: 'x' } } } };
    const many = await write(app, { operations: Array.from({ length: 100 }, () => none), dryRun: false });
    expect(many).toMatchObject({ isError: false, structuredContent: { affected: 0, results: [], cut: { leftOut: 100 } } });
  });

  it('neither lists nor calls the tools without the option', async () => {
    const app = await start('reads', { mcp: { writes: false } });
    const { body } = await post(app, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'write', arguments: { operations: [] } },
    });
    expect(body?.error).toMatchObject({ code: -32602 });
  });

  it('has every argument that a tool reads in its inputSchema', async () => {
    const app = appOf('own code');
    const { body } = await post(app, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const tools = body?.result?.['tools'] as readonly { readonly name: string; readonly inputSchema: ListedSchema }[];
    const read = async (tool: string, args: object): Promise<readonly string[]> => {
      const { structuredContent } = await call(app, tool, args);
      return /there are ([\w, ]+)\./.exec(String(structuredContent?.['message']))?.[1]?.split(', ') ?? [];
    };
    for (const { name, inputSchema } of tools)
      expect([name, await read(name, { x: 1 })]).toEqual([name, Object.keys(inputSchema.properties)]);
    const { items } = tools.find(({ name }) => name === 'write')?.inputSchema.properties['operations'] ?? {};
    expect(await read('write', { operations: [{ x: 1 }] })).toEqual(Object.keys(items?.properties ?? {}));
  });

  it('rejects unknown arguments of write', async () => {
    const app = appOf('Prisma');
    const operation = { model: 'tag', operation: 'create', args: { data: { name: 'new' } } };
    for (const args of [
      {},
      { operations: {} },
      { operations: [] },
      { operations: [1] },
      { operations: [{ ...operation, op: 'delete' }] },
      { operations: [{ model: 'tag' }] },
      { operations: [operation], dryRun: 'false' },
      { operations: [operation], dryRun: false, maxAffected: -1 },
      { operations: [operation], dryrun: false },
      { operations: Array.from({ length: 1001 }, () => operation), dryRun: false },
    ])
      expect([args, await write(app, args)]).toMatchObject([args, { isError: true, structuredContent: { status: 400 } }]);
    expect(await database.prisma.tag.count()).toBe(5);
  });
});
