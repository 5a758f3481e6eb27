import { ENDPOINT } from '../../support/test-app.js';
import { describeReads, refusalOf } from './read-suite.js';

describeReads('paging', { rest: { pageSize: 5, maxPageSize: 8 } }, (suite) => {
  it('PG-01, PG-02, PG-03: links the pages of a collection', async () => {
    const { ids, document } = await suite.app.rest.get('/post?page[offset]=5&sort=id');
    expect(ids).toEqual([6, 7, 8, 9, 10]);
    expect(document.meta).toMatchObject({ total: 12 });
    expect(document.links).toEqual({
      self: `${ENDPOINT}/post?page%5Boffset%5D=5&sort=id`,
      first: `${ENDPOINT}/post?sort=id&page%5Boffset%5D=0&page%5Blimit%5D=5`,
      prev: `${ENDPOINT}/post?sort=id&page%5Boffset%5D=0&page%5Blimit%5D=5`,
      next: `${ENDPOINT}/post?sort=id&page%5Boffset%5D=10&page%5Blimit%5D=5`,
      last: `${ENDPOINT}/post?sort=id&page%5Boffset%5D=10&page%5Blimit%5D=5`,
    });
  });

  it('accepts page[number] and page[size], and sends links with them', async () => {
    const { ids, document } = await suite.app.rest.get('/post?page[number]=2&sort=id');
    expect(ids).toEqual([6, 7, 8, 9, 10]);
    expect(document.meta).toMatchObject({ total: 12 });
    expect(document.links).toEqual({
      self: `${ENDPOINT}/post?page%5Bnumber%5D=2&sort=id`,
      first: `${ENDPOINT}/post?sort=id&page%5Bnumber%5D=1&page%5Bsize%5D=5`,
      prev: `${ENDPOINT}/post?sort=id&page%5Bnumber%5D=1&page%5Bsize%5D=5`,
      next: `${ENDPOINT}/post?sort=id&page%5Bnumber%5D=3&page%5Bsize%5D=5`,
      last: `${ENDPOINT}/post?sort=id&page%5Bnumber%5D=3&page%5Bsize%5D=5`,
    });
    const related = await suite.app.rest.get('/user/1/relationships/posts?page[number]=2&page[size]=3&sort=id');
    expect(related.ids).toEqual([10]);
    expect(related.document.links).toMatchObject({
      next: null,
      prev: expect.stringContaining('?sort=id&page%5Bnumber%5D=1&page%5Bsize%5D=3'),
    });
  });

  it.each([
    '/post?page[number]=1&page[size]=3',
    '/post?filter[published]=true&include=author&fields[post]=title,author&page[limit]=3&custom-1=ä',
    '/user/1/posts?page[limit]=1',
    '/post/1/relationships/comments?page[limit]=1',
  ])('LK-07, LK-09: returns each resource once along the next links of %s, which keep all other parameters', async (path) => {
    const first = await suite.app.rest.get(path);
    const ids = [...first.ids];
    let { links } = first.document;
    while (links?.['next']) {
      expect(new URL(links['next']).searchParams.getAll('custom-1')).toEqual(new URL(links['self'] ?? '').searchParams.getAll('custom-1'));
      const page = await suite.app.rest.get(links['next'].slice(ENDPOINT.length));
      ids.push(...page.ids);
      ({ links } = page.document);
    }
    expect(ids).toHaveLength(Number(first.document.meta?.['total']));
    expect(new Set(ids).size).toBe(ids.length);
    expect(new URL(links?.['self'] ?? '').search).toBe(new URL(first.document.links?.['last'] ?? '').search);
  });

  it('answers a page beyond the end with no data and a prev link', async () => {
    const { many, document } = await suite.app.rest.get('/post?page[offset]=1000');
    expect(many).toEqual([]);
    expect(document.links).toMatchObject({ next: null, prev: `${ENDPOINT}/post?page%5Boffset%5D=10&page%5Blimit%5D=5` });
  });

  it('links an empty collection with last equal to first', async () => {
    const { document } = await suite.app.rest.get('/post?filter[id]=99');
    expect(document.links).toMatchObject({ prev: null, next: null, last: document.links?.['first'] });
  });

  it('pages related resources and relationships, and counts them', async () => {
    const related = await suite.app.rest.get('/user/1/posts?page[offset]=2&page[limit]=2&sort=id');
    expect(related.ids).toEqual([7, 10]);
    expect(related.document.meta).toMatchObject({ total: 4 });
    const linkage = await suite.app.rest.get('/user/1/relationships/posts?page[offset]=1&page[limit]=2&sort=id');
    expect(linkage.document.data).toEqual([4, 7].map((id) => ({ type: 'post', id })));
    expect(linkage.document.meta).toEqual({ total: 4 });
  });

  it('has the number of filtered rows as total', async () => {
    const { document } = await suite.app.rest.get('/user/1/posts?filter[viewCount$gt]=40&page[limit]=1');
    expect(document.meta).toMatchObject({ total: 3 });
  });

  it.each([
    ['page[limit]=9', 'limit-exceeded page[limit]: A page has at most 8 resources (rest.maxPageSize).'],
    ['page[limit]=1000000000', 'limit-exceeded page[limit]: A page has at most 8 resources (rest.maxPageSize).'],
    ['page[limit]=0', "invalid-page page[limit]: '0' is no page size: it must be an integer from 1."],
    ['page[limit]=-1', "invalid-page page[limit]: '-1' is no page size: it must be an integer from 1."],
    ['page[limit]=1e3', "invalid-page page[limit]: '1e3' is no page size: it must be an integer from 1."],
    ['page[offset]=NaN', "invalid-page page[offset]: 'NaN' is no offset: it must be an integer from 0 to 2147483647."],
    ['page[offset]=4294967296', "invalid-page page[offset]: '4294967296' is no offset: it must be an integer from 0 to 2147483647."],
    ['page[number]=0', "invalid-page page[number]: '0' is no page number: it must be an integer from 1."],
    ['page[size]=9', 'limit-exceeded page[size]: A page has at most 8 resources (rest.maxPageSize).'],
    [
      'page[number]=1&page[limit]=5',
      'invalid-page page[limit]: page[limit] does not go with page[number]: use page[offset] with page[limit], or page[number] with page[size].',
    ],
    [
      'page[sice]=1',
      "invalid-page page[sice]: There is no 'page[sice]', only page[offset] with page[limit], page[number] with page[size], and page[size] with page[after] and page[before]. Did you mean 'size'?",
    ],
  ])('PG-05: rejects %s', async (search, problem) => {
    expect(refusalOf(await suite.app.rest.get(`/post?${search}`))).toEqual([400, problem]);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('accepts the largest offset', async () => {
    expect((await suite.app.rest.get('/post?page[offset]=2147483647')).many).toEqual([]);
  });
});

describeReads('collections without a page size', { rest: { pageSize: Infinity }, limits: { maxTake: 15 } }, (suite) => {
  it('have all rows and only the self link, and cost no count', async () => {
    const { many, document } = await suite.app.rest.get('/post');
    expect(many).toHaveLength(12);
    expect(document.meta).toMatchObject({ total: 12 });
    expect(document.links).toEqual({ self: `${ENDPOINT}/post` });
    expect(suite.database.statements.queries).toHaveLength(1);
  });

  it('have all rows at the URLs of a relationship, too', async () => {
    const { many, document } = await suite.app.rest.get('/user/1/posts');
    expect(many).toHaveLength(4);
    expect(document.meta).toMatchObject({ total: 4 });
    expect(document.links).toEqual({ self: `${ENDPOINT}/user/1/posts` });
  });

  it('have pages and a total with page[limit]', async () => {
    const { many, document } = await suite.app.rest.get('/post?page[limit]=5');
    expect(many).toHaveLength(5);
    expect(document.meta).toMatchObject({ total: 12 });
    expect(document.links).toHaveProperty('next');
  });

  it('are rejected above limits.maxTake, and never truncated', async () => {
    expect(refusalOf(await suite.app.rest.get('/comment'))).toEqual([
      400,
      'limit-exceeded nowhere: An answer holds at most 15 resources, and as many included ones (limits.maxTake).',
    ]);
    expect(refusalOf(await suite.app.rest.get('/post?include=comments'))).toEqual([
      400,
      'limit-exceeded nowhere: An answer holds at most 15 resources, and as many included ones (limits.maxTake).',
    ]);
  });
});

describeReads('pages with rest.count: none', { rest: { count: 'none', pageSize: 5 } }, (suite) => {
  it('have neither total nor last, and cost one statement', async () => {
    const { many, document } = await suite.app.rest.get('/post?fields[post]=title');
    expect(many).toHaveLength(5);
    expect(document).not.toHaveProperty('meta');
    expect(document.links).not.toHaveProperty('last');
    expect(document.links?.['next']).toContain('page%5Boffset%5D=5');
    expect(suite.database.statements.queries).toHaveLength(1);
  });

  it('have next: null on the last page', async () => {
    const { many, document } = await suite.app.rest.get('/post?page[offset]=7');
    expect(many).toHaveLength(5);
    expect(document.links).toMatchObject({ next: null });
  });

  it('have neither total nor last at the URLs of a relationship', async () => {
    const { many, document } = await suite.app.rest.get('/user/1/posts?page[limit]=3&fields[post]=title');
    expect(many).toHaveLength(3);
    expect(document).not.toHaveProperty('meta');
    expect(document.links?.['next']).toContain('page%5Boffset%5D=3');
  });
});
