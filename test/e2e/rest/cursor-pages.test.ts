import { ENDPOINT } from '../../support/test-app.js';
import { cursorsOf, describeCursors, linkOf, PROFILE } from './cursor-suite.js';

const TYPE = 'application/vnd.api+json';

describeCursors('cursor pages', (suite) => {
  it('CP-15: page[size], page[after] and page[before] request them, page[number] and page[offset] request pages by offset', async () => {
    const first = await suite.get('/post?sort=id&page[size]=3');
    expect(first.ids).toEqual([1, 2, 3]);
    expect(first.headers['content-type']).toBe(`${TYPE};profile="${PROFILE}"`);
    for (const path of [
      '/post',
      '/post?page[number]=1',
      '/post?page[number]=1&page[size]=3',
      '/post?page[limit]=3',
      '/comment?page[limit]=3',
      '/comment?page[number]=1',
    ]) {
      const other = await suite.get(path);
      expect(other.headers['content-type']).toBe(TYPE);
      expect(other.many[0]).not.toHaveProperty('meta');
    }
    const [, second = ''] = cursorsOf(first);
    expect((await suite.get(`/post?page[after]=${second}&sort=id`)).ids).toEqual([3, 4, 5, 6, 7]);
  });

  it('CP-15: are the default of a model with pagination: cursor, also at related and relationship URLs', async () => {
    for (const path of ['/comment?sort=id', '/post/1/comments?sort=id', '/post/1/relationships/comments?sort=id']) {
      const page = await suite.get(path);
      expect(page.headers['content-type']).toContain('profile=');
      expect(linkOf(page, 'first')).toBe(path);
      const next = page.document.links?.['next'];
      if (next) expect(new URL(next).searchParams.get('page[after]')).toBe(cursorsOf(page).at(-1));
    }
    expect((await suite.get('/comment')).many).toHaveLength(5);
  });

  it.each([
    [
      'page[size]=2&page[limit]=2',
      'page[limit] does not go with page[size]: use page[offset] with page[limit], or page[number] with page[size].',
    ],
    [
      'page[after]=x&page[number]=2',
      'page[number] does not go with cursors: use page[size] with page[after] and page[before], or page[offset] with page[limit], or page[number] with page[size].',
    ],
    [
      'page[before]=x&page[offset]=2',
      'page[offset] does not go with cursors: use page[size] with page[after] and page[before], or page[offset] with page[limit], or page[number] with page[size].',
    ],
    ['page[after]=x&page[after]=x', 'page[after] is given twice.'],
  ])('CP-15: reject %s', async (query, detail) => {
    const { status, errors } = await suite.get(`/post?${query}`);
    expect([status, errors.map((error) => error.detail)]).toEqual([400, [detail]]);
  });

  it('CP-15: are rejected at the URL of a single resource', async () => {
    expect((await suite.get('/post/1?page[size]=2')).status).toBe(400);
  });

  it('are the response to a write of a relationship', async () => {
    const answer = await suite.app.rest.post('/post/1/relationships/tags?page[size]=2&sort=-id', { data: [{ type: 'tag', id: 5 }] });
    expect(answer.headers['content-type']).toContain('profile=');
    expect(answer.ids[0]).toBe(5);
    const linkage = await suite.follow(answer, 'next');
    // The linkage of a response is a valid request.
    const sent = await suite.app.rest.patch('/post/1/relationships/tags', { data: linkage.document.data });
    expect(sent.ids).toEqual(linkage.ids);
  });

  it('can be requested by QUERY and HEAD', async () => {
    const query = 'page[size]=2&sort=id';
    const response = await suite.app.rest.request('QUERY', '/post', {
      body: query,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(response.text).toBe((await suite.get(`/post?${query}`)).text);
    expect((await suite.app.rest.request('HEAD', `/post?${query}`)).headers['content-type']).toContain('profile=');
  });

  it.each([
    ['007', 7],
    ['8', 8],
    ['0000000000000000000000000000000000008', 8],
  ])('CP-04: accept page[size]=%s', async (size, length) => {
    expect((await suite.get(`/comment?page[size]=${size}`)).many).toHaveLength(length);
  });

  it.each(['0', '', '-1', '%2B5', '1e2', '2.0', ' 2', '٣', '0x2', 'Infinity'])('CP-04, CP-08: reject page[size]=%s', async (size) => {
    const { status, errors } = await suite.get(`/post?page[size]=${size}`);
    expect([status, errors[0]?.code, errors[0]?.source]).toEqual([400, 'invalid-page', { parameter: 'page[size]' }]);
    expect(errors[0]).not.toHaveProperty('links');
  });

  it.each(['9', '1000000000000000000000000', '9'.repeat(400)])(
    'CP-05, CP-14: reject page[size]=%s with the maximum in meta',
    async (size) => {
      const { status, errors } = await suite.get(`/post?page[size]=${size}`);
      expect(status).toBe(400);
      expect(errors).toEqual([
        {
          code: 'limit-exceeded',
          status: 400,
          title: 'Limit exceeded',
          detail: 'A page has at most 8 resources (rest.maxPageSize).',
          source: { parameter: 'page[size]' },
          links: { type: `${PROFILE}max-size-exceeded` },
          meta: { page: { maxSize: 8 } },
        },
      ]);
    },
  );

  it('CP-04, CP-06: have a default size also with rest.pageSize: Infinity, and exactly page[size] resources although one more is read', async () => {
    const endless = await suite.start({ rest: { pageSize: Infinity }, limits: { maxTake: 20 } });
    const page = await endless.rest.get('/comment?page[size]=20&sort=id');
    expect(page.many).toHaveLength(20);
    expect(page.document.links).toMatchObject({ next: null });
    const [first = ''] = cursorsOf(page);
    expect((await endless.rest.get(`/comment?page[after]=${first}&sort=id`)).many).toHaveLength(19);
    const narrow = await suite.start({ rest: { pageSize: Infinity }, limits: { maxTake: 4 } });
    for (const path of ['/comment?sort=id&page[size]=4', '/user/1/posts?sort=id&page[size]=3']) {
      const cut = await narrow.rest.get(path);
      expect(cut.ids).toEqual((await suite.get(path)).ids);
      expect(cut.document.links?.['next']).not.toBeNull();
    }
  });

  it.each([
    '/post?sort=title&page[size]=3',
    '/user/1/posts?page[size]=3',
    '/user/1/relationships/posts?page[size]=3',
    '/user/1/relationships/posts?page[size]=3&include=posts',
  ])('CP-12: have a cursor in each item of %s', async (path) => {
    const page = await suite.get(path);
    const cursors = cursorsOf(page);
    expect(page.many).toHaveLength(3);
    const second = await suite.get(`${path}&page[after]=${cursors[0]}`);
    expect(second.ids.slice(0, 2)).toEqual(page.ids.slice(1));
    expect(cursorsOf(second)[0]).toBe(cursors[1]);
    for (const one of page.included) expect(one).not.toHaveProperty('meta');
  });

  it('CP-12: have the total in meta and meta.page, and the version tag beside the cursor', async () => {
    const versioned = await suite.start({ resources: { Post: { version: 'viewCount' } } });
    const page = await versioned.rest.get('/post?page[size]=2&filter[published]=true&sort=id');
    const { total } = page.document.meta ?? {};
    expect(page.document.meta).toMatchObject({ total: expect.any(Number), page: { total } });
    expect(page.many[0]?.meta).toEqual({ etag: expect.any(String), page: { cursor: expect.any(String) } });
    const none = await suite.start({ rest: { count: 'none' } });
    expect((await none.rest.get('/tag?page[size]=2')).document).not.toHaveProperty('meta');
  });

  it.each([
    [undefined, PROFILE],
    ['*/*', PROFILE],
    [`${TYPE};profile="${PROFILE}"`, PROFILE],
    [`${TYPE};profile="${PROFILE.slice(0, -1)}"`, PROFILE.slice(0, -1)],
    [`${TYPE};profile="https://example.com/other ${PROFILE.slice(0, -1)}", ${TYPE};q=0.5`, PROFILE.slice(0, -1)],
    [`${TYPE};profile="https://example.com/unknown"`, PROFILE],
    [`text/html;profile="${PROFILE.slice(0, -1)}"`, PROFILE],
  ])('CP-13: names the profile in Content-Type and self, for Accept: %s', async (accept, uri) => {
    const page = await suite.get('/post?page[size]=1', accept === undefined ? undefined : { Accept: accept });
    expect(page.headers['content-type']).toBe(`${TYPE};profile="${uri}"`);
    expect(page.document.links?.['self']).toEqual({ href: `${ENDPOINT}/post?page%5Bsize%5D=1`, type: `${TYPE};profile="${uri}"` });
  });

  it('CP-13: are not affected by a profile that is not used', async () => {
    const response = await suite.get('/post', { Accept: `${TYPE};profile="${PROFILE}"` });
    expect(response.headers['content-type']).toBe(TYPE);
    expect(response.text).toBe((await suite.get('/post')).text);
  });

  it('are a 304 for a matching If-None-Match', async () => {
    const { headers } = await suite.get('/post?page[size]=3');
    expect((await suite.get('/post?page[size]=3', { 'If-None-Match': String(headers['etag']) })).status).toBe(304);
  });

  it('CP-30: are read without OFFSET, and in one statement with rest.count: none', async () => {
    const none = await suite.start({ rest: { count: 'none' } });
    const first = await none.rest.get('/tag?page[size]=2&fields[tag]=name');
    suite.database.statements.clear();
    await none.rest.get(linkOf(first, 'next'));
    expect(suite.database.statements.queries).toHaveLength(1);
    expect(suite.database.statements.queries[0]).not.toMatch(/count\(/i);
  });
});
