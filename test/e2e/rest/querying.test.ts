import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { resourceOperation, type ResourceOperation } from '../../../lib/index.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import type { RestResponse } from '../../support/rest-client.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { refusalOf } from './write-suite.js';

const FORM = 'application/x-www-form-urlencoded';

class Watch implements CanActivate {
  readonly seen: (ResourceOperation | undefined)[] = [];

  canActivate(context: ExecutionContext): boolean {
    this.seen.push(resourceOperation(context));
    return true;
  }
}

/** RFC 10008: the query string of a GET as the body of a QUERY. */
onPlatforms('QUERY', (platform) => {
  let database: TestDatabase;
  let app: TestApp;
  const watch = new Watch();
  const query = (path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<RestResponse> =>
    app.rest.request('QUERY', path, { body, headers: { 'Content-Type': FORM, ...headers } });

  beforeAll(async () => {
    database = await openTestDatabase();
    app = await startTestApp({ platform, database, options: { guards: [watch] } });
  }, 60_000);
  beforeEach(() => {
    database.statements.clear();
    watch.seen.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it.each([
    ['/post', 'filter[published]=true&sort=-id&page[limit]=2&include=author&fields[user]=name'],
    ['/post', ''],
    ['/post', 'filter%5Btitle%24contains%5D=a%C3%A4+b&utm_source=x'],
    ['/post/1/comments', 'filter[body$contains]=a&sort=-createdAt&page[size]=1'],
    ['/post/1/relationships/tags', 'page[limit]=1&include=tags'],
    ['/post/1/author', 'fields[user]=name'],
  ])('answers %s with the body %s as GET answers that query, byte for byte', async (path, body) => {
    const asked = await query(path, body);
    const got = await app.rest.get(body === '' ? path : `${path}?${body}`);
    expect([asked.status, asked.text]).toEqual([200, got.text]);
    expect(asked.headers['etag']).toBe(got.headers['etag']);
  });

  it('has no limit by the length of a URL', async () => {
    const titles = Array.from({ length: 40 }, (_, index) => `${index}${'x'.repeat(2000)}`).join(',');
    const asked = await query('/post', `filter[title]=${titles},Nothing&fields[post]=title`);
    expect([asked.status, asked.many]).toEqual([200, []]);
  });

  it('is answered 304 for what the client has', async () => {
    const { headers } = await query('/post', 'sort=-id');
    const again = await query('/post', 'sort=-id', { 'If-None-Match': String(headers['etag']) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is the same read to guards', async () => {
    await query('/post', 'sort=id');
    expect(watch.seen).toEqual([{ style: 'rest', model: 'Post', operation: 'fetchCollection', action: 'read', actions: ['read'] }]);
  });

  it('comes as a POST where a client or a proxy cannot send it', async () => {
    const asked = await app.rest.post('/post', 'page[limit]=1', { 'Content-Type': FORM, 'X-HTTP-Method-Override': 'QUERY' });
    expect([asked.status, asked.ids]).toEqual([200, [1]]);
  });

  it.each(['application/json', 'application/vnd.api+json', 'text/plain', `${FORM}x`])(
    'refuses a body in %s, and says what it takes',
    async (type) => {
      const asked = await query('/post', '{}', { 'Content-Type': type });
      expect(refusalOf(asked)).toEqual([415, 'unsupported-media-type Content-Type']);
      expect(asked.headers['accept-query']).toBe(FORM);
      expect(database.statements.all).toEqual([]);
    },
  );

  it('refuses a request without Content-Type, even without a body', async () => {
    expect(refusalOf(await app.rest.request('QUERY', '/post'))).toEqual([415, 'unsupported-media-type Content-Type']);
  });

  it('takes the query from one place', async () => {
    expect(refusalOf(await query('/post?sort=id', 'sort=-id'))).toEqual([400, 'unsupported-parameter sort']);
  });

  it.each([
    ['sort=nothing', [400, 'invalid-sort sort']],
    ['filter[title]=%ff', [400, 'unsupported-parameter nowhere']],
    ['unknown=1', [400, 'unsupported-parameter unknown']],
  ])('refuses %s as GET does', async (body, refusal) => {
    expect(refusalOf(await query('/post', body))).toEqual(refusal);
    expect(refusalOf(await app.rest.get(`/post?${body}`))).toEqual(refusal);
  });

  it('is not for single resources, and is in Allow and Accept-Query where it is', async () => {
    const refused = await query('/post/1', '');
    expect([...refusalOf(refused), refused.headers['allow'], refused.headers['accept-query']]).toEqual([
      405,
      'invalid-verb nowhere',
      'GET, HEAD, PATCH, PUT, DELETE',
      undefined,
    ]);
    const { headers } = await app.rest.request('OPTIONS', '/post');
    expect([headers['allow'], headers['accept-query']]).toEqual(['GET, HEAD, POST, QUERY', FORM]);
  });
});

onPlatforms('QUERY beside a limit of bodies', (platform) => {
  it('is refused beyond limits.maxBodySize', async () => {
    const app = await startTestApp({ platform, options: { getClient: () => ({}), limits: { maxBodySize: 1000 } } });
    const asked = await app.rest.request('QUERY', '/post', { body: 'x'.repeat(1001), headers: { 'Content-Type': FORM } });
    expect(refusalOf(asked)).toEqual([413, 'payload-too-large nowhere']);
    await app.close();
  });
});
