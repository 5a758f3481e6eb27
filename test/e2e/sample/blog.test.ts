import { Agent as HttpAgent, get } from 'node:http';
import supertest from 'supertest';
import { sample } from '../../support/sample.js';
import { RestClient } from '../../support/rest-client.js';
import { RpcClient } from '../../support/rpc-client.js';
import { type SampleProcess, startSample } from '../../support/sample-process.js';

sample.omitted.describe('the blog sample', () => {
  let running: SampleProcess;
  let rest: RestClient;
  let rpc: RpcClient;

  beforeAll(async () => {
    running = await startSample('sample/blog/dist/main.js', 'curl -G');
    // An admin reads all rows. `test/e2e/policy` tests other callers.
    const agent = supertest.agent(running.url).set('X-User-Id', '1');
    rest = new RestClient({ agent, prefix: '/api/rest', strict: false, endpoint: `${running.url}/api/rest` });
    rpc = new RpcClient({ agent, prefix: '/api/rpc' });
  }, 60_000);

  it('prints its URL and the exposed models', () => {
    const { stdout, stderr } = running.output();
    expect(stdout).toContain(`The blog API listens on ${running.url}, with an embedded PostgreSQL in memory.`);
    expect(stdout).toMatch(/\/api\/rest\/user +\/api\/rpc\/user +read, update, delete\n/);
    for (const type of ['profile', 'post', 'comment', 'tag']) {
      expect(stdout).toMatch(new RegExp(`/api/rest/${type} +/api/rpc/${type} +read, create, update, delete\n`));
    }
    expect([stdout, stderr]).toEqual([expect.not.stringContaining('WARN'), '']);
  });

  it.each([
    ['user', 6],
    ['profile', 4],
    ['post', 42],
    ['comment', 210],
    ['tag', 8],
  ])('has the seeded %ss', async (type, total) => {
    const { document } = await rest.get(`/${type}?page[limit]=1`);
    const { data } = await rpc.call(`${type}/count`);
    expect([document.meta?.['total'], data]).toEqual([total, total]);
  });

  it('answers the three requests that it prints', async () => {
    const listPath = printed(/\/api\/rest(\/post\?[^']+)/);
    expect((await rest.get(listPath)).many).toHaveLength(3);

    const comment = printed(/\/api\/rest\/comment' -H 'Content-Type: application\/vnd\.api\+json' -d '([^']+)'/);
    const created = await rest.post('/comment', comment, { 'X-User-Id': '5' });
    expect(created.status).toBe(201);
    await rest.delete(`/comment/${created.one.id}`);

    const argument = printed(/\/api\/rpc\/post\/findMany' --data-urlencode 'q=([^']+)'/);
    const { data } = await rpc.call('post/findMany', JSON.parse(argument));
    expect(data).toEqual([expect.objectContaining({ viewCount: expect.any(BigInt) }), expect.anything(), expect.anything()]);
  });

  it('creates rows with ids after the seeded ones', async () => {
    const { data } = await rpc.call('tag/create', { data: { name: 'brand-new' } });
    expect(data).toEqual({ id: 9, name: 'brand-new' });
    await rest.delete('/tag/9');
  });

  it('returns no password hash', async () => {
    const { one } = await rest.get('/user/1');
    const { data } = await rpc.call('user/findUnique', { where: { id: 1 } });
    expect(one.attributes).not.toHaveProperty('passwordHash');
    expect(data).toMatchObject({ email: 'ada@blog.example' });
    expect(data).not.toHaveProperty('passwordHash');
    expect((await rpc.call('user/findMany', { where: { passwordHash: { startsWith: 'n' } } })).status).toBe(400);
  });

  // Last: nothing answers after it.
  it('exits cleanly on SIGTERM with an open connection', async () => {
    const keepAlive = new HttpAgent({ keepAlive: true });
    await new Promise((resolve) =>
      get(`${running.url}/api/rest/tag/1`, { agent: keepAlive }, (response) => response.resume().on('end', resolve)),
    );
    const { code, milliseconds } = await running.stop('SIGTERM');
    keepAlive.destroy();
    expect(code).toBe(0);
    expect(milliseconds).toBeLessThan(5000);
    expect(running.output().stderr).toBe('');
    await expect(fetch(running.url)).rejects.toThrow();
  });

  /** The part of the curl lines that the pattern's group matches. */
  function printed(pattern: RegExp): string {
    const [, part] = pattern.exec(running.output().stdout) ?? [];
    if (part === undefined) throw new Error(`Nothing like ${pattern.source} was printed:\n${running.output().stdout}`);
    return part;
  }
});
