import { onDatabases } from '../../support/databases/this-database.js';
import { PRODUCT } from '../../support/seed.js';
import { ENDPOINT } from '../../support/test-app.js';
import { describeReads, refusalOf } from './read-suite.js';

describeReads('fetching a resource', {}, (suite) => {
  it('FE-01, FE-03: answers 200 with the resource', async () => {
    const { status, document } = await suite.app.rest.get('/profile/3');
    expect(status).toBe(200);
    expect(document).toEqual({
      jsonapi: { version: '1.1' },
      data: {
        type: 'profile',
        id: 3,
        attributes: { bio: null, birthday: null, avatar: null, userId: 3 },
        relationships: {
          user: {
            data: { type: 'user', id: 3 },
            links: { self: `${ENDPOINT}/profile/3/relationships/user`, related: `${ENDPOINT}/profile/3/user` },
          },
        },
        links: { self: `${ENDPOINT}/profile/3` },
      },
      links: { self: `${ENDPOINT}/profile/3` },
    });
    expect(suite.database.statements.queries).toHaveLength(1);
  });

  it.each<[string, string, string]>([
    ['a string', '/warehouse/wh-basel', 'wh-basel'],
    ['a natural key', '/country/CH', 'CH'],
    ['a UUID', `/product/${PRODUCT.atlas}`, PRODUCT.atlas],
    ...onDatabases('postgresql', 'mariadb').rows<[string, string, string]>([
      ['a UUID in upper case', `/product/${PRODUCT.atlas.toUpperCase()}`, PRODUCT.atlas],
    ]),
    ['a BigInt, as a string', '/order/9007199254740993', '9007199254740993'],
    ['a compound of BigInt and UUID', `/orderLine/3_${PRODUCT.globe}`, `3_${PRODUCT.globe}`],
    ['a compound with a date', '/exchangeRate/CHF_2026-01-01T00:00:00.000Z', 'CHF_2026-01-01T00:00:00.000Z'],
    ['the divider in a part', '/translation/en_with%5C_divider', 'en_with\\_divider'],
    ['the divider in both parts', '/translation/en%5C_GB_with%5C_divider', 'en\\_GB_with\\_divider'],
    ['a slash, a space, an umlaut, a backslash and a comma', '/translation/de_odd%2F%C3%A4%20b%5C%5C%5C_c%2Cd', 'de_odd/ä b\\\\\\_c,d'],
  ])('ID-03, LK-04: answers for an id of %s, with a self link that works', async (_, path, id) => {
    const { one } = await suite.app.rest.get(path);
    expect(one.id).toBe(id);
    const self = one.links?.['self'] ?? '';
    expect((await suite.app.rest.get(self.slice(ENDPOINT.length))).one).toEqual(one);
  });

  it.each<[string, readonly (string | number)[]]>([
    ['/post/99', [404, 'not-found nowhere: There is no post with id 99.']],
    ['/warehouse/none', [404, 'not-found nowhere: There is no warehouse with id none.']],
    ['/translation/en_none', [404, 'not-found nowhere: There is no translation with id en_none.']],
    ['/post/1abc', [400, 'invalid-id nowhere: This cannot be an id of post.']],
    ['/post/2147483648', [400, 'invalid-id nowhere: This cannot be an id of post.']],
    ['/post/%00', [400, 'invalid-id nowhere: This cannot be an id of post.']],
    ['/warehouse/%00', [400, 'invalid-id nowhere: This cannot be an id of warehouse.']],
    ...onDatabases('postgresql').rows<[string, readonly (string | number)[]]>([
      ['/product/1', [400, 'invalid-id nowhere: This cannot be an id of product.']],
    ]),
    ['/orderLine/3', [400, 'invalid-id nowhere: This cannot be an id of orderLine.']],
    ['/translation/en_GB_with_divider', [400, 'invalid-id nowhere: This cannot be an id of translation.']],
  ])('FE-04: rejects %s', async (path, refusal) => {
    expect(refusalOf(await suite.app.rest.get(path))).toEqual(refusal);
  });

  it('QP-03: accepts only include and fields', async () => {
    for (const search of ['sort=id', 'page[limit]=1', 'filter[id]=1']) {
      expect((await suite.app.rest.get(`/post/1?${search}`)).errors[0]?.code).toBe('unsupported-parameter');
    }
  });

  it('LK-09: has the query in the self link, and nothing of the Host header', async () => {
    const { document } = await suite.app.rest.get('/tag/1?fields[tag]=name', {
      'Host': 'evil.example',
      'X-Forwarded-Host': 'evil.example',
    });
    expect(document.links).toEqual({ self: `${ENDPOINT}/tag/1?fields%5Btag%5D=name` });
  });
});

describeReads('another divider', { rest: { idDivider: '--' } }, (suite) => {
  it('joins and splits compound ids', async () => {
    const { ids } = await suite.app.rest.get('/exchangeRate?filter[currency]=USD&sort=day');
    expect(ids).toEqual(['USD--2026\\-01\\-01T00:00:00.000Z', 'USD--2026\\-01\\-02T00:00:00.000Z']);
    expect((await suite.app.rest.get(`/exchangeRate/${encodeURIComponent(String(ids[0]))}`)).one.id).toBe(ids[0]);
  });
});

const EXTERNAL = {
  User: { externalId: 'email' },
  Category: { externalId: 'slug' },
  Warehouse: { externalId: 'countryCode_name' },
} as const;

describeReads('external ids', { resources: EXTERNAL }, (suite) => {
  const ADA = 'ada@example.com';

  it('are in URLs, ids, links, linkage and identifiers', async () => {
    const { one } = await suite.app.rest.get(`/user/${ADA}`);
    expect(one).toMatchObject({ type: 'user', id: ADA, attributes: { email: ADA }, links: { self: `${ENDPOINT}/user/ada%40example.com` } });
    expect((await suite.app.rest.get('/post/1')).one.relationships['author']?.data).toEqual({ type: 'user', id: ADA });
    expect((await suite.app.rest.get('/post/1/relationships/author')).document.data).toEqual({ type: 'user', id: ADA });
    expect((await suite.app.rest.get('/category/postgresql')).one.relationships['parent']?.data).toEqual({
      type: 'category',
      id: 'databases',
    });
  });

  it('are the parent in related URLs', async () => {
    expect((await suite.app.rest.get(`/user/${ADA}/posts?sort=id`)).ids).toEqual([1, 4, 7, 10]);
    expect((await suite.app.rest.get('/category/databases/children')).ids).toEqual(['postgresql']);
  });

  it('are used by filters, sort and include', async () => {
    expect((await suite.app.rest.get(`/post?filter[author]=${ADA}&sort=id`)).ids).toEqual([1, 4, 7, 10]);
    expect((await suite.app.rest.get(`/user?filter[id]=${ADA}`)).ids).toEqual([ADA]);
    expect((await suite.app.rest.get('/user?sort=-id&page[limit]=1')).ids).toEqual(['grace@example.com']);
    expect((await suite.app.rest.get('/post/2?include=author,category.parent')).included.map(({ id }) => id).sort()).toEqual([
      'databases',
      'grace@example.com',
      'software',
    ]);
  });

  it('may be compound', async () => {
    const { ids } = await suite.app.rest.get('/warehouse?sort=id');
    expect(ids).toEqual(['CH_Basel', 'CH_Central', 'DE_Berlin']);
    expect((await suite.app.rest.get('/warehouse/CH_Basel/country')).one.id).toBe('CH');
    expect((await suite.app.rest.get('/country/CH/relationships/warehouses')).ids).toEqual(['CH_Basel', 'CH_Central']);
  });

  it('replace the primary key, which is a 404 in URLs', async () => {
    expect((await suite.app.rest.get('/user/1')).status).toBe(404);
    expect((await suite.app.rest.get(`/user/${ADA}`)).one.attributes).not.toHaveProperty('id');
  });
});
