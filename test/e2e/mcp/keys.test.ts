import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { callOf, post, startMcpApp } from '../../support/mcp.js';
import { onPlatforms, type TestApp } from '../../support/test-app.js';
import { IDEMPOTENCY, CallerGuard, KEY } from '../idempotency/idempotency-suite.js';

onPlatforms('idempotency keys of MCP', (platform) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startMcpApp({
      platform,
      database,
      options: { idempotency: { ...IDEMPOTENCY, required: { Tag: ['create'] } }, guards: [CallerGuard] },
    });
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  const CREATE = { operations: [{ model: 'tag', operation: 'create', args: { data: { name: 'once' } } }], dryRun: false };
  const keyed = { 'idempotency-key': KEY, 'x-caller': 'ada' };

  it('execute a write once for messages with different ids', async () => {
    const first = await post(app, callOf('write', CREATE), keyed);
    const again = await post(app, callOf('write', CREATE), keyed);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body?.id).not.toBe(first.body?.id);
    expect(again.body?.result).toEqual(first.body?.result);
    expect(first.body?.result?.structuredContent).toMatchObject({ affected: 1, results: [{ result: { name: 'once' } }] });
    expect(await database.prisma.tag.count({ where: { name: 'once' } })).toBe(1);
  });

  it('reject another write with the same key, and release the key of a failed one', async () => {
    const failing = { ...CREATE, maxAffected: 0 };
    expect((await post(app, callOf('write', failing), keyed)).body?.result).toMatchObject({ isError: true });
    expect((await post(app, callOf('write', CREATE), keyed)).body?.result).toMatchObject({ isError: false });
    const other = await post(app, callOf('write', failing), keyed);
    expect(other.body?.result).toMatchObject({ isError: true, structuredContent: { reason: 'idempotency-key-reused' } });
  });

  it('are required if the option requires them, except for a dry run', async () => {
    const dry = { ...CREATE, dryRun: true };
    expect((await post(app, callOf('write', dry))).body?.result).toMatchObject({ isError: false, structuredContent: { dryRun: true } });
    expect((await post(app, callOf('write', dry), keyed)).body?.result).toMatchObject({ isError: false });
    expect(await database.prisma.idempotencyKey.count()).toBe(0);
    const refused = await post(app, callOf('write', CREATE));
    expect(refused.body?.result).toMatchObject({ isError: true, structuredContent: { reason: 'idempotency-key-required' } });
  });
});
