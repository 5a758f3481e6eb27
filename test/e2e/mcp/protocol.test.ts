import { readFile } from 'node:fs/promises';
import { SERVER } from '../../../lib/mcp/methods.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { callOf, post, startMcpApp } from '../../support/mcp.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const META = { [VERSION]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const stateless = (method: string, version = '2026-07-28'): Record<string, string> => ({
  'mcp-protocol-version': version,
  'mcp-method': method,
});
const message = (method: string, params?: unknown, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});

it('the version of the server is that of the package', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { readonly version: string };
  expect(SERVER.version).toBe(version);
});

onPlatforms.all('the protocol of MCP', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startMcpApp({ platform, database, options: { limits: { maxBodySize: '20kb' } } });
  }, 60_000);
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('accepts only POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await fetch(`${app.url}/mcp`, { method });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    expect((await post(app, message('ping'), {}, '/mcp/post/findMany')).status).toBe(404);
  });

  it.each<[string, unknown, number, number]>([
    ['JSON that is none', '{', 400, -32700],
    ['no body', '', 400, -32700],
    ['a batch', [message('ping')], 400, -32600],
    ['an empty batch', [], 400, -32600],
    ['a value', '1', 400, -32600],
    ['another version of JSON-RPC', { ...message('ping'), jsonrpc: '1.0' }, 400, -32600],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 400, -32600],
    ['an id that is null', message('ping', {}, null), 400, -32600],
    ['an id of many digits', message('ping', {}, 2 ** 60), 400, -32600],
    ['an id that is an object', message('ping', {}, {}), 400, -32600],
    ['params that are a list', message('ping', []), 200, -32602],
    ['an unknown method', message('resources/list'), 200, -32601],
    ['a name of Object', message('constructor'), 200, -32601],
    ['a method of the other form', message('server/discover'), 200, -32601],
    ['an unknown tool', callOf('toString', {}), 200, -32602],
    ['arguments that are a list', callOf('find', []), 200, -32602],
    ['initialize without a version', message('initialize'), 200, -32602],
  ])('rejects %s', async (_, body, status, code) => {
    const answer = await post(app, body);
    expect([answer.status, answer.body?.error?.code]).toEqual([status, code]);
  });

  it('rejects other media types, too large bodies and deeply nested arguments', async () => {
    expect((await post(app, message('ping'), { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(app, callOf('find', { model: 'x'.repeat(30_000) }))).status).toBe(413);
    const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":{"model":"post","where":${'{"NOT":'.repeat(2000)}{}${'}'.repeat(2000)}}}}`;
    const { status, body } = await post(app, nested);
    expect([status, body?.result?.isError]).toEqual([200, true]);
  });

  it('returns the id with an error of the params', async () => {
    const { status, body } = await post(app, { jsonrpc: '2.0', id: 7, method: 'tools/list', params: [] });
    expect([status, body]).toMatchObject([200, { id: 7, error: { code: -32602 } }]);
    expect((await post(app, { jsonrpc: '2.0', method: 'tools/list', params: [] })).status).toBe(400);
  });

  it('accepts notifications without executing them', async () => {
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'tools/call']) {
      const params = {
        name: 'write',
        arguments: { operations: [{ model: 'tag', operation: 'deleteMany', args: { where: {} } }], dryRun: false },
      };
      const { status, body } = await post(app, { jsonrpc: '2.0', method, params });
      expect([method, status, body]).toEqual([method, 202, undefined]);
    }
    expect(await database.prisma.tag.count()).toBe(5);
  });

  it('returns the unchanged id, and negotiates a revision', async () => {
    const old = await post(app, message('initialize', { protocolVersion: '2025-06-18' }, 'id "1"'));
    expect(old.body).toMatchObject({ id: 'id "1"', result: { protocolVersion: '2025-06-18', serverInfo: SERVER } });
    const unknown = await post(app, message('initialize', { protocolVersion: '1999-01-01' }, 0));
    expect(unknown.body).toMatchObject({ id: 0, result: { protocolVersion: '2025-11-25' } });
    expect((await post(app, message('ping'), { 'mcp-protocol-version': '2025-11-25' })).body?.result).toEqual({});
    const refused = await post(app, message('ping'), { 'mcp-protocol-version': '1999-01-01' });
    expect([refused.status, refused.body?.error]).toMatchObject([400, { code: -32022, data: { requested: '1999-01-01' } }]);
  });

  it('answers the stateless form if headers and body are equal', async () => {
    const { body } = await post(app, message('tools/list', { _meta: META }), stateless('tools/list'));
    expect(body?.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const cases: readonly [object, Record<string, string>, number, number][] = [
      [message('tools/list', { _meta: META }), {}, 400, -32020],
      [message('tools/list', { _meta: META }), stateless('tools/call'), 400, -32020],
      [message('tools/list', { _meta: META }), stateless('tools/list', '2025-11-25'), 400, -32020],
      [message('tools/call', { _meta: META, name: 'find' }), { ...stateless('tools/call'), 'mcp-name': 'describe' }, 400, -32020],
      [message('tools/call', { _meta: META, name: 'find' }), stateless('tools/call'), 400, -32020],
      [message('tools/list', { _meta: { ...META, [VERSION]: '2099-01-01' } }), stateless('tools/list', '2099-01-01'), 400, -32022],
      [message('tools/list', { _meta: { [VERSION]: '2026-07-28' } }), stateless('tools/list'), 400, -32602],
      [message('tools/list'), stateless('tools/list'), 400, -32602],
      [message('initialize', { protocolVersion: '2025-11-25' }), stateless('initialize'), 400, -32020],
      [message('ping', { _meta: META }), stateless('ping'), 404, -32601],
    ];
    for (const [sent, headers, status, code] of cases) {
      const answer = await post(app, sent, headers);
      expect([sent, answer.status, answer.body?.error?.code]).toEqual([sent, status, code]);
    }
    const encoded = { ...stateless('tools/call'), 'mcp-name': `=?base64?${Buffer.from('describe').toString('base64')}?=` };
    expect((await post(app, message('tools/call', { _meta: META, name: 'describe' }), encoded)).body?.result?.isError).toBe(false);
  });

  it('rejects unknown arguments of a tool', async () => {
    const cases: readonly [string, object, string][] = [
      ['find', {}, "find: 'model' is missing."],
      ['find', { model: 1 }, "find: 'model' must be a string."],
      ['find', { model: 'post', take: 51 }, "find: 'take' must be an integer between 1 and 50."],
      ['find', { model: 'post', take: 0 }, "find: 'take' must be an integer between 1 and 50."],
      ['find', { model: 'post', cursor: { id: 1 } }, "find: 'cursor' does not exist"],
      ['find', { model: 'post', wher: {} }, "Did you mean 'where'?"],
      ['aggregate', { model: 'post', operation: 'deleteMany' }, 'must be one of count, aggregate, groupBy.'],
      ['aggregate', { model: 'post', operation: 'count', args: [] }, "'args' must be an object."],
      ['describe', { model: 'nothing' }, "There is no model 'nothing'."],
    ];
    for (const [name, args, text] of cases) {
      const { body } = await post(app, callOf(name, args));
      expect(body?.result).toMatchObject({
        isError: true,
        structuredContent: { status: 400, message: expect.stringContaining(text) as unknown },
      });
    }
  });
});
