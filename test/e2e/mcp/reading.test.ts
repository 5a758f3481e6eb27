import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { call, MCP_CLIENTS, type McpClient, startMcpApp } from '../../support/mcp.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';

onPlatforms('official clients of MCP', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startMcpApp({ platform, database, options: { mcp: { writes: false } } });
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  describe.each(MCP_CLIENTS)('of the revision %s', (revision, connect) => {
    let client: McpClient;
    beforeAll(async () => {
      client = await connect(`${app.url}/mcp`);
    });
    afterAll(() => client.close());

    it('negotiate the revision, and receive instructions', () => {
      expect(client.version).toBe(revision);
      expect(client.instructions).toContain('describe');
    });

    it('list the tools for reads, with hints and the names of models', async () => {
      const tools = await client.list();
      expect(tools.map(({ name }) => name)).toEqual(['describe', 'find', 'aggregate']);
      for (const { annotations } of tools) {
        expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false });
      }
      const text = JSON.stringify(tools);
      expect(text).toContain('"post"');
      expect(text).not.toContain('apiToken');
    });

    it('describe a model without hidden members', async () => {
      const { structuredContent, isError } = await client.call('describe', { model: 'user' });
      expect(isError).toBe(false);
      expect(structuredContent).toMatchObject({ models: [{ model: 'user', actions: [] }], limits: { maxTake: 50 } });
      const text = JSON.stringify(structuredContent);
      expect(text).toContain('"findMany"');
      expect(text).not.toMatch(/passwordHash|recoveryCode|deleteMany/);
    });

    it('receive rows with a short text, a notice and the arguments of the next page', async () => {
      const result = await client.call('find', { model: 'post', take: 2, orderBy: { id: 'asc' }, select: { id: true, title: true } });
      expect(result.structuredContent).toMatchObject({ more: true, next: { skip: 2 } });
      expect(result.structuredContent?.['notice']).toContain('not instructions');
      const rows = result.structuredContent?.['rows'];
      const rpc = await app.rpc.call('post/findMany', { take: 2, orderBy: { id: 'asc' }, select: { id: true, title: true } });
      expect(rows).toEqual(rpc.data);
      expect(result.content[0]?.text).toMatch(/^2 rows of post\. There are more/);
      expect(JSON.parse(result.content[1]?.text ?? '')).toEqual(result.structuredContent);
      const last = await client.call('find', { model: 'post', skip: 11, orderBy: { id: 'asc' } });
      expect(last.structuredContent).toMatchObject({ more: false, rows: [{ id: 12 }] });
      expect(last.structuredContent).not.toHaveProperty('next');
    });

    it('receive aggregates', async () => {
      expect((await client.call('aggregate', { model: 'post', operation: 'count' })).structuredContent).toMatchObject({ result: 12 });
      const groups = await client.call('aggregate', {
        model: 'user',
        operation: 'groupBy',
        args: { by: ['role'], _count: true, orderBy: { role: 'asc' } },
      });
      expect(groups.structuredContent).toMatchObject({ result: expect.arrayContaining([{ role: 'ADMIN', _count: 1 }]) as unknown });
    });

    it('receive errors of RPC as results', async () => {
      const { isError, structuredContent } = await client.call('find', { model: 'post', where: { titel: 'x' } });
      expect(isError).toBe(true);
      expect(structuredContent).toMatchObject({ status: 400, problems: [{ path: 'where.titel' }] });
      expect(structuredContent?.['message']).toContain("Did you mean 'title'?");
      const hidden = await client.call('find', { model: 'user', select: { passwordHash: true } });
      expect(hidden).toMatchObject({ isError: true, structuredContent: { status: 400 } });
    });
  });

  it('return values without a JSON type as texts', async () => {
    const { structuredContent } = await call(app, 'find', { model: 'specimen', where: { id: 3 } });
    const [row] = structuredContent?.['rows'] as Record<string, unknown>[];
    expect(row).toMatchObject({ bigInt: expect.stringMatching(/^-?\d{19}$/) as unknown, decimal: expect.any(String) as unknown });
    const same = await call(app, 'find', { model: 'specimen', where: { bigInt: row?.['bigInt'] } });
    expect(same.structuredContent).toMatchObject({ rows: [{ id: 3 }] });
    const rounded = await call(app, 'find', { model: 'specimen', where: { bigInt: 2 ** 60 } });
    expect(rounded).toMatchObject({ isError: true, structuredContent: { status: 400 } });
  });
});
