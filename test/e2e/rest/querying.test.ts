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
  ])('of %s with the body %s answers the same bytes as GET with that query', async (path, body) => {
    const response = await query(path, body);
    const got = await app.rest.get(body === '' ? path : `${path}?${body}`);
    expect([response.status, response.text]).toEqual([200, got.text]);
    expect(response.headers['etag']).toBe(got.headers['etag']);
  });

  it('may be longer than a URL', async () => {
    const titles = Array.from({ length: 40 }, (_, index) => `${index}${'x'.repeat(2000)}`).join(',');
    const response = await query('/post', `filter[title]=${titles},Nothing&fields[post]=title`);
    expect([response.status, response.many]).toEqual([200, []]);
  });

  it('is a 304 for a matching If-None-Match', async () => {
    const { headers } = await query('/post', 'sort=-id');
    const again = await query('/post', 'sort=-id', { 'If-None-Match': String(headers['etag']) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('is the same operation for guards as GET', async () => {
    await query('/post', 'sort=id');
    expect(watch.seen).toEqual([{ style: 'rest', model: 'Post', operation: 'fetchCollection', action: 'read', actions: ['read'] }]);
  });

  it('may be sent as POST with X-HTTP-Method-Override', async () => {
    const response = await app.rest.post('/post', 'page[limit]=1', { 'Content-Type': FORM, 'X-HTTP-Method-Override': 'QUERY' });
    expect([response.status, response.ids]).toEqual([200, [1]]);
  });

  it.each(['application/json', 'application/vnd.api+json', 'text/plain', `${FORM}x`])(
    'rejects a body in %s with 415 and Accept-Query',
    async (type) => {
      const response = await query('/post', '{}', { 'Content-Type': type });
      expect(refusalOf(response)).toEqual([415, 'unsupported-media-type Content-Type']);
      expect(response.headers['accept-query']).toBe(FORM);
      expect(database.statements.all).toEqual([]);
    },
  );

  it('rejects a request without Content-Type, even without a body', async () => {
    expect(refusalOf(await app.rest.request('QUERY', '/post'))).toEqual([415, 'unsupported-media-type Content-Type']);
  });

  it('rejects a query in both the URL and the body', async () => {
    expect(refusalOf(await query('/post?sort=id', 'sort=-id'))).toEqual([400, 'unsupported-parameter sort']);
  });

  it.each([
    ['sort=nothing', [400, 'invalid-sort sort']],
    ['filter[title]=%ff', [400, 'unsupported-parameter nowhere']],
    ['unknown=1', [400, 'unsupported-parameter unknown']],
  ])('rejects %s as GET does', async (body, refusal) => {
    expect(refusalOf(await query('/post', body))).toEqual(refusal);
    expect(refusalOf(await app.rest.get(`/post?${body}`))).toEqual(refusal);
  });

  it('is a 405 for single resources, and is in Allow and Accept-Query of collections', async () => {
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
  it('is rejected above limits.maxBodySize', async () => {
    const app = await startTestApp({ platform, options: { getClient: () => ({}), limits: { maxBodySize: 1000 } } });
    const response = await app.rest.request('QUERY', '/post', { body: 'x'.repeat(1001), headers: { 'Content-Type': FORM } });
    expect(refusalOf(response)).toEqual([413, 'payload-too-large nowhere']);
    await app.close();
  });
});
