import { ResourceApiModule } from 'nestjs-resource-api';
import { closeAll, endpoint, fakeClient, PLATFORMS, startTinyApp, tinySchema } from '../../support/tiny-app.js';

afterEach(closeAll);

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'OPTIONS', 'LINK', 'PROPFIND', 'SEARCH'];

/** Paths of every endpoint, and variants of each that a router may or may not accept. */
const PATHS = [
  '/api/rest/post',
  '/api/rest/post/1',
  '/api/rest/post/1/author',
  '/api/rest/post/1/relationships/author',
  '/api/rest/operations',
  '/api/rpc/post/findMany',
  '/api/rpc/$transaction/sequential',
  '/api/rpc/$describe',
  '/api/rpc/$describe/post',
].flatMap((path) => [
  path,
  `${path}/`,
  `${path}//`,
  `${path}/?x`,
  path.replace('/api', '//api'),
  path.replace('/api', '/API'),
  path.replace('relationships', 'Relationships'),
  path.replace('operations', 'OPERATIONS'),
  path.replace('/post', '/POST'),
  path.replace('/post', '/post/'),
  path.replace('post', 'p%6Fst'),
  path.replace('$', '%24'),
]);

describe('paths', () => {
  it('have the same response on each platform, with each method', async () => {
    const answers = [];
    for (const platform of PLATFORMS) {
      const options = {
        schema: tinySchema,
        getClient: () => fakeClient(),
        rest: { prefix: 'api/rest', endpoint, operations: true },
        rpc: { prefix: 'api/rpc' },
      } as const;
      const { app } = await startTinyApp(platform, [ResourceApiModule.forRoot(options)]);
      await app.listen(0, '127.0.0.1');
      const url = await app.getUrl();
      const seen: Record<string, unknown> = {};
      for (const path of new Set(PATHS)) {
        // Fastify itself refuses a QUERY without a body outside of the mounts.
        const methods = path.startsWith('//') ? METHODS.filter((method) => method !== 'QUERY') : METHODS;
        for (const method of methods) seen[`${method} ${path}`] = await request(`${url}${path}`, method);
      }
      answers.push(seen);
    }
    expect(answers[1]).toEqual(answers[0]);
  });
});

async function request(url: string, method: string): Promise<unknown> {
  const answer = await fetch(url, { method });
  const text = await answer.text();
  return [answer.status, answer.headers.get('allow'), answer.headers.get('content-type'), text.replace(/"id":"[^"]+"/, '"id":"…"')];
}
