import { PRODUCT } from '../../support/seed.js';
import { describeReads, refusalOf } from './read-suite.js';

describeReads('reading in strict mode', { rest: { strict: true } }, (suite) => {
  it('ID-02: writes every id as a string', async () => {
    const { ids, many, included } = await suite.app.rest.get('/post?include=author&page[limit]=2&sort=id');
    expect(ids).toEqual(['1', '2']);
    expect(many[0]?.relationships['author']?.data).toEqual({ type: 'user', id: '1' });
    expect(included.map(({ id }) => id)).toEqual(['1', '2']);
    expect((await suite.app.rest.get('/post/1/relationships/tags')).document.data).toEqual(['1', '2'].map((id) => ({ type: 'tag', id })));
  });

  it('D6: has no foreign keys among the attributes, and sends linkage instead', async () => {
    const { one } = await suite.app.rest.get('/comment/1');
    expect(Object.keys(one.attributes)).toEqual(['body', 'createdAt']);
    expect(one.relationships['post']?.data).toEqual({ type: 'post', id: '1' });
    const line = await suite.app.rest.get(`/orderLine/3_${PRODUCT.globe}`);
    expect(Object.keys(line.one.attributes)).toEqual(['quantity', 'unitPrice']);
    expect(line.one.relationships['order']?.data).toEqual({ type: 'order', id: '3' });
  });

  it('D6: filters by a foreign key through its relationship', async () => {
    expect((await suite.app.rest.get('/comment?filter[post]=1&sort=id')).ids).toEqual(['1', '11']);
  });

  it('ER-02: writes the status of an error as a string', async () => {
    expect((await suite.app.rest.get('/post/99')).errors).toEqual([
      { code: 'not-found', status: '404', title: 'Resource not found', detail: 'There is no post with id 99.' },
    ]);
  });

  it.each([
    ['sort=title&sort=id', 'invalid-sort sort: sort is given twice.'],
    ['include=author&include=tags', 'invalid-include include: include is given twice.'],
    ['page[limit]=1&page[limit]=2', 'invalid-page page[limit]: page[limit] is given twice.'],
    ['fields[post]=title&fields[post]=id', 'invalid-fields fields[post]: fields[post] is given twice.'],
  ])('QP-07: rejects %s', async (search, problem) => {
    expect(refusalOf(await suite.app.rest.get(`/post?${search}`))).toEqual([400, problem]);
  });
});

describeReads('query parameters', {}, (suite) => {
  it('QP-01, QP-05: may have plain and encoded brackets', async () => {
    const plain = await suite.app.rest.get('/post?page[limit]=2&filter[author][name]=Ada Lovelace'.replace(' ', '+'));
    const encoded = await suite.app.rest.get('/post?page%5Blimit%5D=2&filter%5Bauthor%5D%5Bname%5D=Ada%20Lovelace');
    expect(encoded.text).toBe(plain.text);
  });

  it.each(['customParameter=1', 'utm_source=x', 'X=1', 'a-b[c]=1'])('QP-02: are ignored as custom ones: %s', async (search) => {
    expect((await suite.app.rest.get(`/tag?${search}`)).status).toBe(200);
  });

  it.each([
    ['foo=1', "unsupported-parameter foo: There is no query parameter 'foo' here."],
    ['filter2[x]=1&foo[x]=1', "unsupported-parameter foo[x]: There is no query parameter 'foo' here."],
    ['$top=1', "unsupported-parameter $top: '$top' is no legal name of a query parameter."],
    ['filter[title=1', "unsupported-parameter filter[title: The brackets of 'filter[title' do not match, at position 7."],
  ])('QP-03: are rejected: %s', async (search, problem) => {
    expect(refusalOf(await suite.app.rest.get(`/post?${search}`))).toEqual([400, problem]);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('QP-04, QP-06: encode a space as a plus', async () => {
    const { ids, document } = await suite.app.rest.get('/post?filter[title]=Post+01');
    expect(ids).toEqual([1]);
    expect(document.links?.['self']).toMatch(/\?filter%5Btitle%5D=Post\+01$/);
  });
});
