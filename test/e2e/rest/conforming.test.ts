import { sample } from '../../support/sample.js';
import type { JsonApiDocument, ResourceObject } from '../../support/json-api-document.js';
import { ENDPOINT } from '../../support/test-app.js';
import { describeReads, refusalOf } from './read-suite.js';

const JSON_API = 'application/vnd.api+json';

/** One URL for each kind of response, including errors. */
const URLS = [
  '/post',
  '/post/1',
  '/post/1/author',
  '/post/1/comments',
  '/post/1/relationships/tags',
  '/post?include=author',
  '/nothing',
  '/post?sort=wrong',
];

// Rules of JSON:API 1.1 for every response. The tests of single features have the other rules.
describeReads('conforming to JSON:API', {}, (suite) => {
  const get = (path: string, headers?: Record<string, string>) => suite.app.rest.get(path, headers);

  it.each(URLS)(
    'CN-01, CN-02, CN-03, CN-04, CN-05: sends %s as JSON:API, without parameters if no extension or profile is applied',
    async (path) => {
      expect((await get(path)).headers['content-type']).toBe(JSON_API);
    },
  );

  it('CN-11, CN-12: ignores an unknown profile in Accept', async () => {
    const { status, headers } = await get('/post/1', { Accept: `${JSON_API};profile="https://example.com/last-modified"` });
    expect([status, headers['content-type']]).toEqual([200, JSON_API]);
  });

  it.each(URLS)('CN-13: sends %s with Vary: Accept', async (path) => {
    expect((await get(path)).headers['vary']).toMatch(/\bAccept\b/i);
  });

  it('CN-14: ignores the body in negotiation', async () => {
    const jsonapi = { version: '1.1', ext: ['https://jsonapi.org/ext/atomic'], profile: ['https://example.com/p'] };
    expect(refusalOf(await suite.app.rest.post('/post', { jsonapi, data: { type: 'user' } }))[0]).toBe(409);
  });

  it.each(URLS)('DS-01, DS-02, DS-03, DS-04, DS-05, DS-09: sends %s as an object with only the members of JSON:API', async (path) => {
    const { document } = await get(path);
    const members = Object.keys(document);
    expect(members.filter((name) => !['jsonapi', 'data', 'errors', 'included', 'links', 'meta'].includes(name))).toEqual([]);
    expect(members.includes('data')).not.toBe(members.includes('errors'));
    if (!members.includes('data')) expect(members).not.toContain('included');
    if ('jsonapi' in document) expect(document.jsonapi).toEqual({ version: '1.1' });
  });

  it('DS-08, DS-10, DS-11, DS-12, DS-13: sends resources whose members have the right types and distinct names', async () => {
    for (const resource of resourcesOf((await get('/post?include=author.profile,tags,comments')).document)) {
      const { attributes, relationships } = resource;
      const names = [...Object.keys(attributes), ...Object.keys(relationships)];
      expect(new Set(names).size).toBe(names.length);
      expect(names).not.toContain('id');
      expect(names).not.toContain('type');
      for (const relationship of Object.values(relationships)) {
        expect('data' in relationship || 'links' in relationship).toBe(true);
      }
    }
  });

  it('DS-15, IN-03: includes only the requested resources', async () => {
    const { included } = await get('/post?include=author');
    expect(new Set(included.map(({ type }) => type))).toEqual(new Set(['user']));
    expect((await get('/post')).document).not.toHaveProperty('included');
  });

  it('ID-03, ID-04, ID-06: identifies resources by type and id, and linkage has no other members', async () => {
    const { many } = await get('/post?include=tags');
    expect(new Set(many.map(({ type, id }) => `${type} ${id}`)).size).toBe(many.length);
    const linkage = many.flatMap(({ relationships }) => [relationships['author']?.data, relationships['tags']?.data].flat());
    expect(linkage.length).toBeGreaterThan(many.length);
    for (const identifier of linkage) expect(Object.keys(identifier ?? {})).toEqual(['type', 'id']);
  });

  it('MN-01, MN-02, MN-03, MN-06: sends only valid member names and types, without extension members', async () => {
    const legal = /^[a-zA-Z0-9\u0080-\uffff](?:[-_ a-zA-Z0-9\u0080-\uffff]*[a-zA-Z0-9\u0080-\uffff])?$/;
    for (const { type, attributes, relationships } of resourcesOf((await get('/post?include=author,tags')).document)) {
      expect([type, ...Object.keys(attributes), ...Object.keys(relationships)].filter((name) => !legal.test(name))).toEqual([]);
    }
  });

  it('MN-04: sends names in the camel case of the Prisma schema', async () => {
    expect(Object.keys((await get('/orderLine')).many[0]?.attributes ?? {})).toContain('unitPrice');
  });

  it('LK-01, LK-02, LK-03: sends links as URLs or null', async () => {
    for (const link of await linksOf(['/post?include=author', '/post/1/tags?page[limit]=1', '/post/1/relationships/comments'])) {
      expect(link === null || URL.canParse(link)).toBe(true);
    }
  });

  sample.omitted.it('LK-04, LK-05, LK-07, LK-08: answers every URL in its links, also of empty relationships', async () => {
    const links = new Set(
      await linksOf([
        '/post',
        '/post/7',
        '/user',
        '/category',
        '/category/1/parent',
        '/post?page[limit]=2&sort=-id&filter[published]=true',
      ]),
    );
    expect(links.size).toBeGreaterThan(50);
    for (const link of links) {
      if (link !== null) expect([link, (await get(link.slice(ENDPOINT.length))).status]).toEqual([link, 200]);
    }
  });

  it('LK-06: sends the same related link for any related resource, and for none', async () => {
    const related = async (id: number) => (await get(`/post/${id}`)).one.relationships['category']?.links?.['related'];
    expect(await related(2)).toBe(`${ENDPOINT}/post/2/category`);
    expect(await related(7)).toBe(`${ENDPOINT}/post/7/category`);
  });

  it('LK-09, LK-10, QP-06: repeats the query in self, form-encoded', async () => {
    const { document } = await get('/post?filter[title$contains]=a b&page[limit]=2');
    expect(document.links?.['self']).toBe(`${ENDPOINT}/post?filter%5Btitle%24contains%5D=a+b&page%5Blimit%5D=2`);
  });

  it('LK-11, PG-01, PG-02, PG-03: pages linkage at the URL of the relationship', async () => {
    const { document } = await get('/category/1/relationships/children?page[limit]=1');
    const url = `${ENDPOINT}/category/1/relationships/children?page%5Boffset%5D=`;
    expect(document.links).toMatchObject({
      first: `${url}0&page%5Blimit%5D=1`,
      next: `${url}1&page%5Blimit%5D=1`,
      last: `${url}1&page%5Blimit%5D=1`,
      prev: null,
    });
  });

  it('FE-03, FE-04: answers a single resource with an object, and an empty to-one with null', async () => {
    expect((await get('/post/1')).one).toMatchObject({ type: 'post', id: 1 });
    expect((await get('/post/7/category')).document.data).toBeNull();
  });

  it('FE-05, FE-06: answers linkage at the URL of a relationship, and 404 if the relationship or its parent does not exist', async () => {
    expect((await get('/post/7/relationships/category')).document.data).toBeNull();
    expect((await get('/category/4/relationships/children')).document.data).toEqual([]);
    expect((await get('/post/1/relationships/nothing')).status).toBe(404);
    expect((await get('/post/999/relationships/author')).status).toBe(404);
  });

  it('SF-02: sends only the requested fields, relationships included', async () => {
    const { many, included } = await get('/post?include=author&fields[post]=title,author&fields[user]=name');
    expect(Object.keys(many[0]?.attributes ?? {})).toEqual(['title']);
    expect(Object.keys(many[0]?.relationships ?? {})).toEqual(['author']);
    expect(included[0]).toMatchObject({ attributes: { name: expect.any(String) } });
    expect(included[0]).not.toHaveProperty('relationships');
  });

  it('SO-01: rejects an unsupported sort', async () => {
    expect((await get('/post?sort=nothing')).status).toBe(400);
    expect((await get('/post?sort=tags.name')).status).toBe(400);
  });

  it('SO-02, SO-03, SO-04: sorts by the fields in their order, descending with a minus', async () => {
    const { many } = await get('/post?sort=-published,authorId,-id');
    const keys = many.map(({ id, attributes }) => [attributes['published'] === true ? 0 : 1, Number(attributes['authorId']), -Number(id)]);
    expect(keys).toEqual([...keys].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0) || (a[2] ?? 0) - (b[2] ?? 0)));
    expect(new Set(keys.map(String)).size).toBe(12);
  });

  it('SO-05: sorts related resources and linkage as well', async () => {
    const descending = [...(await get('/post/1/comments?sort=id')).ids].reverse();
    expect(descending.length).toBeGreaterThan(1);
    expect((await get('/post/1/comments?sort=-id')).ids).toEqual(descending);
    expect((await get('/post/1/relationships/comments?sort=-id')).ids).toEqual(descending);
  });

  it('PG-04, PG-05: pages by page[offset] and page[limit] in the order of the sort, so that pages never overlap', async () => {
    const pages = await Promise.all([0, 5, 10].map((offset) => get(`/post?sort=published&page[offset]=${offset}&page[limit]=5`)));
    const ids = pages.flatMap((page) => page.ids);
    expect(ids).toEqual((await get('/post?sort=published')).ids);
    expect(new Set(ids).size).toBe(12);
  });

  it('FI-01: filters by the filter family', async () => {
    expect(
      (await get('/post?filter[authorId]=1&filter[published]=false')).many.every(({ attributes }) => attributes['authorId'] === 1),
    ).toBe(true);
  });

  it('ER-01, ER-03, ER-06: lists all errors, each at its place, under the most general status', async () => {
    const { status, errors } = await get('/post?sort=wrong&include=wrong&filter[wrong]=1');
    expect(status).toBe(400);
    expect(errors.map(({ source }) => Object.keys(source ?? {}))).toEqual([['parameter'], ['parameter'], ['parameter']]);
  });

  it('ER-07: sends errors of the router and the body parser in the same shape', async () => {
    const statuses = [
      (await get('/a/b/c/d/e')).status,
      (await suite.app.rest.request('DELETE', '/post')).status,
      (await suite.app.rest.post('/post', '{')).status,
      (await suite.app.rest.post('/post', 'x', { 'Content-Type': 'text/plain' })).status,
    ];
    expect(statuses).toEqual([404, 405, 400, 415]);
  });

  it('CR-11, UP-09, RE-09, UP-07: answers a write without changes with the document, and an unsupported one with 403', async () => {
    const { one } = await suite.app.rest.patch('/tag/5', { data: { type: 'tag', id: 5, attributes: { name: 'unused' } } });
    expect(one).toMatchObject({ id: 5, attributes: { name: 'unused' } });
    const relationship = await suite.app.rest.post('/tag/5/relationships/posts', { data: [] });
    expect([relationship.status, relationship.document.data]).toEqual([200, []]);
    expect((await suite.app.rest.post('/post/1/relationships/author', { data: { type: 'user', id: 1 } })).status).toBe(403);
  });

  async function linksOf(paths: readonly string[]): Promise<readonly (string | null)[]> {
    const documents = await Promise.all(paths.map(async (path) => (await get(path)).document));
    return documents.flatMap((document) => [
      ...Object.values(document.links ?? {}),
      ...resourcesOf(document).flatMap(({ links, relationships }) => [
        ...Object.values(links ?? {}),
        ...Object.values({ ...relationships }).flatMap((relationship) => Object.values(relationship.links ?? {})),
      ]),
    ]);
  }
});

function resourcesOf({ data, included }: JsonApiDocument): readonly ResourceObject[] {
  return [data ?? [], included ?? []].flat();
}
