import { itByPrisma } from '../../support/sql-reads.js';
import { ENDPOINT } from '../../support/test-app.js';
import { describeReads, refusalOf } from './read-suite.js';

describeReads('fetching a collection', {}, (suite) => {
  it('FE-01, FE-02, DS-07: answers 200 with the resources, their total and links', async () => {
    const { status, many, document } = await suite.app.rest.get('/tag');
    expect(status).toBe(200);
    expect(many).toHaveLength(5);
    expect(many[0]).toEqual({
      type: 'tag',
      id: 1,
      attributes: { name: 'typescript' },
      relationships: { posts: { links: { self: `${ENDPOINT}/tag/1/relationships/posts`, related: `${ENDPOINT}/tag/1/posts` } } },
      links: { self: `${ENDPOINT}/tag/1` },
    });
    expect(document).toEqual({
      jsonapi: { version: '1.1' },
      data: many,
      links: {
        self: `${ENDPOINT}/tag`,
        first: `${ENDPOINT}/tag?page%5Boffset%5D=0&page%5Blimit%5D=100`,
        last: `${ENDPOINT}/tag?page%5Boffset%5D=0&page%5Blimit%5D=100`,
        prev: null,
        next: null,
      },
      meta: { total: 5 },
    });
  });

  it('DS-07: answers an empty collection with an array', async () => {
    const { many, document } = await suite.app.rest.get('/tag?filter[name]=none');
    expect(many).toEqual([]);
    expect(document.meta).toEqual({ total: 0 });
  });

  it('ID-01, specification 2: answers with ids in their own type, foreign keys as attributes, and the linkage of to-one relationships', async () => {
    const { one } = await suite.app.rest.get('/post/2');
    expect(one.id).toBe(2);
    expect(one.attributes).toMatchObject({ authorId: 2, reviewerId: 1, categoryId: 2 });
    expect(one.relationships['author']?.data).toEqual({ type: 'user', id: 2 });
    expect(one.relationships['category']?.data).toEqual({ type: 'category', id: 2 });
    expect(one.relationships['comments']).not.toHaveProperty('data');
    expect((await suite.app.rest.get('/post/7')).one.relationships['category']?.data).toBeNull();
  });

  itByPrisma('resolves the linkage of a to-one whose key is at the other end in the same query', async () => {
    const { many } = await suite.app.rest.get('/user?fields[user]=profile');
    expect(many.map(({ relationships }) => relationships['profile']?.data)).toEqual([
      { type: 'profile', id: 1 },
      { type: 'profile', id: 2 },
      { type: 'profile', id: 3 },
      null,
      null,
    ]);
    expect(suite.database.statements.queries).toHaveLength(3);
  });

  it('answers without hidden and write-only fields', async () => {
    const { many } = await suite.app.rest.get('/user');
    expect(Object.keys(many[0]?.attributes ?? {})).toEqual(['email', 'name', 'role', 'loginCount', 'locale', 'createdAt', 'updatedAt']);
    expect(Object.keys(many[0]?.relationships ?? {})).toEqual(['profile', 'posts', 'reviewedPosts', 'comments', 'orders']);
    expect(suite.database.statements.queries.join(' ')).not.toMatch(/passwordHash|recoveryCode|pin/);
  });

  it('D10: matches the type case-insensitively', async () => {
    expect((await suite.app.rest.get('/ORDERLINE')).many[0]?.type).toBe('orderLine');
  });

  it.each([
    ['/pots', [404, "unsupported-model nowhere: There is no resource type 'pots'. Did you mean 'post'?"]],
    ['/apiToken', [404, "unsupported-model nowhere: There is no resource type 'apiToken'."]],
    ['/constructor', [404, "unsupported-model nowhere: There is no resource type 'constructor'."]],
    ['/__proto__', [404, "unsupported-model nowhere: There is no resource type '__proto__'."]],
  ])('answers 404 at %s', async (path, refusal) => {
    expect(refusalOf(await suite.app.rest.get(path))).toEqual(refusal);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('FE-07: answers HEAD with the headers alone', async () => {
    const { status, text } = await suite.app.rest.request('HEAD', '/post');
    expect([status, text]).toEqual([200, '']);
  });
});

describeReads('a collection that may not be read', { resources: { Tag: { actions: ['create'] } } }, (suite) => {
  it.each(['/tag', '/tag/1', '/tag/1/posts', '/tag/1/relationships/posts', '/tag/x'])('answers 403 at %s, before any SQL', async (path) => {
    expect(refusalOf(await suite.app.rest.get(path))).toEqual([403, 'forbidden nowhere: tag cannot be read here.']);
    expect(suite.database.statements.all).toEqual([]);
  });

  it.each(['/post/1/tags', '/post/1/relationships/tags'])('answers 403 at %s as well', async (path) => {
    expect(refusalOf(await suite.app.rest.get(path))).toEqual([403, "forbidden nowhere: The relationship 'tags' cannot be read here."]);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('rejects it in include, filter, sort and fields, and sends no relationship to it', async () => {
    for (const search of ['include=tags', 'filter[tags][name]=a', 'filter[tags]=1', 'sort=tags.$count', 'fields[post]=tags']) {
      expect([400, 403]).toContain((await suite.app.rest.get(`/post?${search}`)).status);
    }
    expect(suite.database.statements.all).toEqual([]);
    expect((await suite.app.rest.get('/post/1')).one.relationships).not.toHaveProperty('tags');
  });
});
