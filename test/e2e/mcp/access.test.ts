import { type CanActivate, type ExecutionContext, type NestInterceptor, UnauthorizedException } from '@nestjs/common';
import { map } from 'rxjs';
import { granted, resourceOperation, type ResourceApiOptions, type ResourceOperation, withSql } from '../../../lib/index.js';
import { assertNoLeak } from '../../../lib/testing/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { call, callOf, HAS_SQL, post, startMcpApp } from '../../support/mcp.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';
import { GRANTED_RESOURCES, GRANTS } from '../grants/support/granted-resources.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

onPlatforms('access to MCP', (platform) => {
  let database: TestDatabase;
  const apps: TestApp[] = [];
  const start = async (options: Partial<Omit<ResourceApiOptions, 'rest'>> = {}, more: object = {}): Promise<TestApp> => {
    const app = await startMcpApp({ platform, database, options, ...more });
    apps.push(app);
    return app;
  };

  beforeAll(async () => {
    database = await openTestDatabase();
  }, 60_000);
  beforeEach(() => database.reset());
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.close();
  });
  afterAll(() => database.close());

  it('rejects requests of all web pages by default, also those of the same host', async () => {
    const app = await start();
    const { host } = new URL(app.url);
    const statusOf = async (origin: string, headers = {}): Promise<number> => (await post(app, LIST, { origin, ...headers })).status;
    for (const origin of [
      `http://${host}`,
      'https://evil.example',
      'null',
      'http://127.0.0.1',
      `http://${host}.evil.example`,
      `http://${host}/x`,
      '',
    ])
      expect([origin, await statusOf(origin)]).toEqual([origin, 403]);
    const refused = await fetch(`${app.url}/mcp`, { headers: { origin: 'https://evil.example' } });
    expect(refused.status).toBe(403);
  });

  it('allows the origins of the option, and no other', async () => {
    const app = await start({ mcp: { allowedOrigins: ['https://app.example.com'] } });
    expect((await post(app, LIST, { origin: 'https://app.example.com' })).status).toBe(200);
    expect((await post(app, LIST, { origin: app.url })).status).toBe(403);
    expect((await post(app, LIST)).status).toBe(200);
  });

  it('has the status of a guard, and WWW-Authenticate with the metadata', async () => {
    const guard: CanActivate = {
      canActivate: (context) => {
        const { headers } = context.switchToHttp().getRequest<{ readonly headers: Record<string, string> }>();
        if (headers['authorization'] === undefined) throw new UnauthorizedException('Who are you?');
        return headers['authorization'] === 'Bearer good';
      },
    };
    const resourceMetadata = { authorizationServers: ['https://auth.example.com'], scopes: ['read', 'write'] };
    const app = await start({ guards: [guard], mcp: { resourceMetadata } });
    const { status, headers, body } = await post(app, callOf('describe', {}));
    expect([status, body]).toMatchObject([401, { id: null, error: { code: -32600, message: 'Who are you?' } }]);
    const url = `${app.url}/.well-known/oauth-protected-resource/mcp`;
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${url}", scope="read write"`);
    for (const place of [url, `${app.url}/.well-known/oauth-protected-resource`]) {
      const answer = await fetch(place);
      expect([answer.status, answer.headers.get('access-control-allow-origin'), await answer.json()]).toEqual([
        200,
        '*',
        {
          resource: `${app.url}/mcp`,
          authorization_servers: ['https://auth.example.com'],
          scopes_supported: ['read', 'write'],
          bearer_methods_supported: ['header'],
        },
      ]);
    }
    expect((await post(app, LIST, { authorization: 'Bearer bad' })).status).toBe(403);
    expect((await post(app, LIST, { authorization: 'Bearer good' })).status).toBe(200);
  });

  it('has the configured public URL in WWW-Authenticate and in the metadata', async () => {
    const resourceMetadata = { authorizationServers: ['https://auth.example.com'], resource: 'https://api.example.com/v1/mcp' };
    const refuse: CanActivate = {
      canActivate: () => {
        throw new UnauthorizedException();
      },
    };
    const app = await start({ guards: [refuse], mcp: { resourceMetadata } });
    const { headers } = await post(app, LIST);
    expect(headers.get('www-authenticate')).toBe(
      'Bearer resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/v1/mcp"',
    );
    const metadata = await fetch(`${app.url}/.well-known/oauth-protected-resource/v1/mcp`);
    expect([metadata.status, await metadata.json()]).toMatchObject([200, { resource: 'https://api.example.com/v1/mcp' }]);
  });

  it('answers with 401 if getClient rejects with UnauthorizedException', async () => {
    const app = await start({ getClient: () => Promise.reject(new UnauthorizedException()) });
    expect((await post(app, callOf('find', { model: 'post' }))).status).toBe(401);
  });

  it('passes the operation of a call to guards', async () => {
    const seen: (ResourceOperation | undefined)[] = [];
    const guard: CanActivate = { canActivate: (context: ExecutionContext) => seen.push(resourceOperation(context)) > 0 };
    const app = await start({ guards: [guard] });
    await post(app, LIST);
    await call(app, 'find', { model: 'post', include: { author: true }, take: 1 });
    await call(app, 'describe', { model: 'tag' });
    expect(seen).toEqual([
      { style: 'mcp', model: undefined, operation: 'tools/list', action: 'read', actions: ['read'] },
      { style: 'mcp', model: 'Post', operation: 'findMany', action: 'read', actions: ['read'] },
      { style: 'mcp', model: 'Tag', operation: '$describe', action: 'read', actions: ['read'] },
    ]);
    expect(seen[0]?.touches?.map(({ model }) => model)).toContain('User');
    expect(seen[1]?.touches?.map(({ model, action }) => `${action} ${model}`)).toEqual(['read Post', 'read User']);
  });

  it.each(HAS_SQL ? ['Prisma', 'SQL'] : ['Prisma'])(
    'returns only rows that rules allow, through %s',
    async (engine) => {
      const client = engine === 'SQL' ? withSql(database.prisma) : database.prisma;
      const app = await start({
        getClient: () => client,
        rules: { 'Post': { read: { published: true } }, 'User': { read: true }, '*': false },
      });
      const published = await database.prisma.post.count({ where: { published: true } });
      const found = await call(app, 'find', { model: 'post' });
      expect(found.structuredContent?.['rows']).toHaveLength(published);
      expect((await call(app, 'aggregate', { model: 'post', operation: 'count' })).structuredContent).toMatchObject({ result: published });
      const { body } = await post(app, LIST);
      const text = JSON.stringify(body);
      expect(text).toContain('"post"');
      expect(text).not.toContain('"comment"');
      // The probes are the same for both engines.
      if (engine === 'SQL') return;
      await assertNoLeak(app.nest, { model: 'User', field: 'passwordHash' });
      // The check of a field ignores rules: it detects an exposed field also by MCP.
      await expect(assertNoLeak(app.nest, { model: 'User', field: 'name' })).rejects.toThrow(/MCP user\/findMany/);
    },
    120_000,
  );

  it('lists only models and fields that the grants of the caller allow', async () => {
    const app = await start({ resources: GRANTED_RESOURCES, grants: GRANTS });
    const listed = async (held: string): Promise<string> => JSON.stringify((await post(app, LIST, { 'x-grants': held })).body);
    expect(await listed('hr')).toContain('"orderLine"');
    expect(await listed('')).not.toMatch(/orderLine|apiToken/);
    const described = await call(app, 'describe', {});
    expect(JSON.stringify(described)).not.toMatch(/orderLine|loginCount|recoveryCode|apiToken/);
    const refused = await call(app, 'find', { model: 'orderLines' });
    expect(JSON.stringify(refused)).not.toContain("'orderLine'");
    expect(JSON.stringify(await call(app, 'find', { model: 'orderLines' }, { 'x-grants': 'hr' }))).toContain("Did you mean 'orderLine'?");
  });

  it('returns the reply that interceptors of the module have changed', async () => {
    const redact: NestInterceptor = {
      intercept: (_, next) =>
        next.handle().pipe(
          map((reply: { body: { data: { title: string }[] } }) => {
            for (const row of reply.body.data) row.title = '***';
            return reply;
          }),
        ),
    };
    const app = await start({ interceptors: [redact] });
    const found = await call(app, 'find', { model: 'post', select: { id: true, title: true }, take: 2 });
    expect(found.structuredContent?.['rows']).toEqual([
      { id: 1, title: '***' },
      { id: 2, title: '***' },
    ]);
    expect(JSON.stringify(found.content)).not.toMatch(/"title\\":\\"[^*]/);
  });

  it('returns each row on one page, also without an order', async () => {
    const app = await start();
    // PostgreSQL stores a changed row behind the others.
    await database.prisma.tag.update({ where: { id: 1 }, data: { name: 'changed' } });
    const found = await call(app, 'find', { model: 'tag', take: 2 });
    expect(found.structuredContent?.['rows']).toMatchObject([{ id: 1 }, { id: 2 }]);
    const sorted = await call(app, 'find', { model: 'tag', orderBy: { name: 'desc' }, select: { id: true } });
    expect(sorted.isError).toBe(false);
  });

  it('returns rows to a caller who may not sort by their key', async () => {
    const app = await start({ resources: { Tag: { fields: { id: { sort: granted('hr') } } } }, grants: GRANTS });
    await database.prisma.tag.update({ where: { id: 1 }, data: { name: 'changed' } });
    for (const held of ['', 'hr']) {
      const found = await call(app, 'find', { model: 'tag', take: 2 }, { 'x-grants': held });
      expect([held, found.structuredContent]).toMatchObject([held, { rows: [{ id: 1 }, { id: 2 }], more: true }]);
    }
    const sorted = await call(app, 'find', { model: 'tag', orderBy: { name: 'desc' }, take: 2 });
    expect(sorted.structuredContent).toMatchObject({ rows: [{}, {}] });
    const refused = await call(app, 'find', { model: 'tag', orderBy: { id: 'asc' } });
    expect(refused).toMatchObject({ isError: true, structuredContent: { problems: [{ path: 'orderBy.id' }] } });
  });

  it('truncates results, and reports it', async () => {
    const app = await start({ mcp: { maxResultBytes: 600 } });
    const { structuredContent, content } = await call(app, 'find', { model: 'tag', orderBy: { id: 'asc' }, take: 3 });
    expect(structuredContent).toMatchObject({ more: true, next: { skip: 3 }, rows: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    const posts = await call(app, 'find', { model: 'post', orderBy: { id: 'asc' }, take: 5 });
    const rows = posts.structuredContent?.['rows'] as unknown[];
    expect(rows.length).toBeGreaterThan(0);
    expect(posts.structuredContent).toMatchObject({ more: true, next: { skip: rows.length }, cut: { leftOut: 5 - rows.length } });
    expect(posts.content[0]?.text).toContain(`${5 - rows.length} further rows of this page are left out`);
    expect(content[0]?.text).not.toContain('left out');
    const wide = await call(app, 'find', { model: 'user', include: { posts: { include: { comments: true } } } });
    expect(wide.structuredContent).toMatchObject({ rows: [], cut: { reason: expect.stringContaining('first one alone') as unknown } });
    expect(wide.structuredContent).not.toHaveProperty('next');
    const described = await call(app, 'describe', {});
    expect(described.structuredContent).toMatchObject({
      cut: { reason: expect.stringContaining('Call describe with a model') as unknown },
    });
    const groups = await call(app, 'aggregate', {
      model: 'post',
      operation: 'groupBy',
      args: { by: ['id', 'title', 'createdAt', 'updatedAt'], _count: true, orderBy: { id: 'asc' } },
    });
    expect(groups.structuredContent).toMatchObject({ cut: { leftOut: expect.any(Number) as unknown } });
  });

  it('truncates the description of a model, with its fields first', async () => {
    const app = await start({ mcp: { maxResultBytes: 1_500 } });
    const { structuredContent, content } = await call(app, 'describe', { model: 'user' });
    const reason = expect.stringMatching(
      /^The description is larger than 1500 bytes: its documentation and \d+ items of its lists are left out\.$/,
    ) as unknown;
    const fields = expect.arrayContaining([expect.objectContaining({ name: 'id', type: 'Int' })]) as unknown;
    expect(structuredContent).toMatchObject({
      models: [{ model: 'user', fields }],
      cut: { leftOut: expect.any(Number) as unknown, reason },
    });
    expect(JSON.stringify(structuredContent?.['models']).length).toBeLessThanOrEqual(1_500);
    expect(content[0]?.text).not.toContain('Call describe');
  });

  it('logs a fault of the data layer without sending it to the caller', async () => {
    const lines: string[] = [];
    const log = (...given: unknown[]): void => void lines.push(given.join(' '));
    const logger = { log: () => undefined, warn: log, error: log };
    const app = await start({ getClient: () => Promise.reject(new TypeError('a secret')) }, { logger });
    const result = await call(app, 'find', { model: 'post' });
    expect(result).toMatchObject({ isError: true, structuredContent: { status: 500, message: 'An unexpected error occurred.' } });
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(lines.join('\n')).toMatch(/unknown-error [\da-f-]{36} POST \/mcp: .*a secret/);
  });
});
