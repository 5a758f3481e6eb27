import { comment, describeWrites, refusalOf, tag, user } from './write-suite.js';

const resources = {
  Tag: { actions: ['read'] },
  Comment: { actions: ['create', 'update', 'delete'] },
  Category: { actions: ['read', 'create'] },
  Post: { fields: { reviewer: 'readOnly' } },
} as const;

describeWrites('writes that `resources` forbids', { resources }, (suite) => {
  it.each([
    ['a create', 'POST', '/tag', { data: { type: 'tag', attributes: { name: 'x' } } }],
    ['an update', 'PATCH', '/tag/1', { data: { type: 'tag', attributes: { name: 'x' } } }],
    ['a deletion', 'DELETE', '/tag/1', undefined],
    ['a change of a relationship of what is closed to updates', 'POST', '/tag/1/relationships/posts', { data: [] }],
    ['a change of what holds the key, which is closed to updates', 'POST', '/category/1/relationships/children', { data: [] }],
    ['a change of a read-only relationship', 'PATCH', '/post/1/relationships/reviewer', { data: user(1) }],
    ['a malformed body as well', 'PATCH', '/tag/1', '{'],
  ] as const)('answer 403 to %s, before any SQL', async (...[, method, path, body]) => {
    expect(refusalOf(await suite.app.rest.request(method, path, { body }))).toEqual([403, 'forbidden nowhere']);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('have one right for a foreign key and its relationship', async () => {
    const patch = (data: object): Promise<unknown> => suite.app.rest.patch('/post/1', { data: { type: 'post', ...data } }).then(refusalOf);
    expect(await patch({ attributes: { reviewerId: 1 } })).toEqual([400, 'invalid-payload /data/attributes/reviewerId']);
    expect(await patch({ relationships: { reviewer: { data: user(1) } } })).toEqual([400, 'invalid-payload /data/relationships/reviewer']);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('do not include links to read-only resources whose foreign key is in another table', async () => {
    const relationships = { tags: { data: [tag(5)] }, category: { data: { type: 'category', id: 1 } } };
    expect((await suite.app.rest.patch('/post/1', { data: { type: 'post', relationships } })).status).toBe(200);
  });

  it('answer an allowed write of an unreadable model with type, id and link alone', async () => {
    const updated = await suite.app.rest.patch('/comment/1', { data: { type: 'comment', attributes: { body: 'changed' } } });
    expect(updated.one).toEqual({ type: 'comment', id: 1, links: { self: 'http://api.test/api/rest/comment/1' } });
    const created = await suite.app.rest.post('/comment', { data: { type: 'comment', attributes: { body: 'new', postId: 1 } } });
    expect(created.one).toEqual({ type: 'comment', id: 21, links: { self: 'http://api.test/api/rest/comment/21' } });
  });

  it('answer 204 to a change of an unreadable relationship', async () => {
    const response = await suite.app.rest.post('/post/1/relationships/comments', { data: [comment(2)] });
    expect([response.status, response.text]).toEqual([204, '']);
    const asking = await suite.app.rest.post('/post/1/relationships/comments?sort=body', { data: [comment(3)] });
    expect(refusalOf(asking)).toEqual([400, 'unsupported-parameter sort']);
    expect(await suite.database.prisma.comment.findUnique({ where: { id: 2 } })).toMatchObject({ postId: 1 });
  });
});
