import { sample } from '../../support/sample.js';
import { ENDPOINT } from '../../support/test-app.js';
import { describeReads, refusalOf } from './read-suite.js';

describeReads('fetching related resources', {}, (suite) => {
  it('FE-02: answers a to-many with a collection and its total', async () => {
    const { status, ids, document } = await suite.app.rest.get('/user/1/posts?sort=id');
    expect(status).toBe(200);
    expect(ids).toEqual([1, 4, 7, 10]);
    expect(document.meta).toMatchObject({ total: 4 });
    expect(document.links).toMatchObject({ self: `${ENDPOINT}/user/1/posts?sort=id`, next: null });
  });

  it('answers a many-to-many', async () => {
    expect((await suite.app.rest.get('/tag/1/posts')).ids).toEqual([1, 4]);
  });

  it('accepts the filters, sorts and fields of the collection', async () => {
    const { many } = await suite.app.rest.get('/user/1/posts?filter[viewCount$gt]=40&filter[tags]=1&sort=-id&fields[post]=title');
    expect(many).toMatchObject([{ id: 4, attributes: { title: 'Post 04' } }]);
  });

  it('answers a to-one with its resource', async () => {
    expect((await suite.app.rest.get('/post/2/author')).one).toMatchObject({ type: 'user', id: 2 });
    expect((await suite.app.rest.get('/user/2/profile')).one).toMatchObject({ type: 'profile', id: 2 });
    expect((await suite.app.rest.get('/refund/1/line')).one).toMatchObject({ type: 'orderLine' });
  });

  it.each(['/post/7/category', '/user/5/profile', '/category/1/parent'])('FE-04: answers an empty to-one with null at %s', async (path) => {
    const { status, document } = await suite.app.rest.get(path);
    expect([status, document.data]).toEqual([200, null]);
    expect(document.links).toEqual({ self: `${ENDPOINT}${path}` });
  });

  it('answers an empty to-many with an empty collection', async () => {
    const { many, document } = await suite.app.rest.get('/post/11/comments');
    expect(many).toEqual([]);
    expect(document.meta).toEqual({ total: 0 });
  });

  it.each([
    ['/post/99/author', [404, 'not-found nowhere: There is no post with id 99.']],
    ['/post/99/comments', [404, 'not-found nowhere: There is no post with id 99.']],
    ['/post/1/autor', [404, "unsupported-relationship nowhere: post has no relationship 'autor'. Did you mean 'author'?"]],
    ['/post/1/title', [404, "unsupported-relationship nowhere: post has no relationship 'title'."]],
    ['/user/1/tokens', [404, "unsupported-relationship nowhere: user has no relationship 'tokens'."]],
    ['/post/1/constructor', [404, "unsupported-relationship nowhere: post has no relationship 'constructor'."]],
    ['/post/x/author', [400, 'invalid-id nowhere: This cannot be an id of post.']],
  ])('rejects %s', async (path, refusal) => {
    expect(refusalOf(await suite.app.rest.get(path))).toEqual(refusal);
  });

  it('rejects filter, sort and page at a to-one relationship', async () => {
    for (const search of ['filter[name]=a', 'sort=name', 'page[limit]=1']) {
      expect((await suite.app.rest.get(`/post/1/author?${search}`)).errors[0]?.code).toBe('unsupported-parameter');
    }
  });
});

describeReads('fetching a relationship', {}, (suite) => {
  it('FE-05: answers a to-many with identifiers, their total and links', async () => {
    const { document } = await suite.app.rest.get('/post/1/relationships/tags');
    expect(document).toEqual({
      jsonapi: { version: '1.1' },
      data: [
        { type: 'tag', id: 1 },
        { type: 'tag', id: 2 },
      ],
      links: expect.objectContaining({
        self: `${ENDPOINT}/post/1/relationships/tags`,
        related: `${ENDPOINT}/post/1/tags`,
        first: `${ENDPOINT}/post/1/relationships/tags?page%5Boffset%5D=0&page%5Blimit%5D=100`,
        prev: null,
        next: null,
      }),
      meta: { total: 2 },
    });
  });

  it('FE-05: answers a to-one with an identifier or null', async () => {
    expect((await suite.app.rest.get('/post/2/relationships/author')).document).toEqual({
      jsonapi: { version: '1.1' },
      data: { type: 'user', id: 2 },
      links: { self: `${ENDPOINT}/post/2/relationships/author`, related: `${ENDPOINT}/post/2/author` },
    });
    expect((await suite.app.rest.get('/post/7/relationships/category')).document.data).toBeNull();
    expect((await suite.app.rest.get('/user/1/relationships/profile')).document.data).toEqual({ type: 'profile', id: 1 });
    expect((await suite.app.rest.get('/user/5/relationships/profile')).document.data).toBeNull();
  });

  it('filters, sorts and pages the linkage (specification, 4.1)', async () => {
    const { document } = await suite.app.rest.get('/user/1/relationships/posts?filter[viewCount$gt]=40&sort=-id&page[limit]=2');
    expect(document.data).toEqual([10, 7].map((id) => ({ type: 'post', id })));
    expect(document.meta).toEqual({ total: 3 });
  });

  it.each([
    ['/post/99/relationships/author', [404, 'not-found nowhere: There is no post with id 99.']],
    ['/post/99/relationships/tags', [404, 'not-found nowhere: There is no post with id 99.']],
    ['/post/1/relationships/autor', [404, "unsupported-relationship nowhere: post has no relationship 'autor'. Did you mean 'author'?"]],
    ['/user/1/relationships/tokens', [404, "unsupported-relationship nowhere: user has no relationship 'tokens'."]],
  ])('FE-06: rejects %s', async (path, refusal) => {
    expect(refusalOf(await suite.app.rest.get(path))).toEqual(refusal);
  });

  sample.omitted.it('LK-05, LK-06, LK-07, LK-08: can follow every link of every relationship', async () => {
    for (const type of ['user', 'post', 'order', 'orderLine', 'category', 'warehouse']) {
      const { many } = await suite.app.rest.get(`/${type}?page[limit]=2`);
      const links = many.flatMap(({ relationships }) => Object.values(relationships).flatMap((one) => Object.values(one.links ?? {})));
      for (const link of links) {
        expect((await suite.app.rest.get(String(link).slice(ENDPOINT.length))).status).toBe(200);
      }
    }
  });
});

describeReads('a relationship whose other side is hidden', { resources: { User: { fields: { posts: 'hidden' } } } }, (suite) => {
  it('is a 404 from the hidden side, and readable from the other', async () => {
    expect((await suite.app.rest.get('/user/1/posts')).status).toBe(404);
    expect((await suite.app.rest.get('/post?include=author.posts')).status).toBe(400);
    expect((await suite.app.rest.get('/post/1/author')).one.id).toBe(1);
    expect((await suite.app.rest.get('/category/2/posts')).ids).toEqual([2]);
  });
});
