import { comment, describeWrites, refusalOf, tag, user } from './write-suite.js';

describeWrites('changing a to-many relationship', {}, (suite) => {
  const tagsOf = async (id: number): Promise<readonly (string | number)[]> =>
    (await suite.app.rest.get(`/post/${id}/relationships/tags`)).ids;

  it('RE-04, RE-08, D11: POST adds missing members, and answers 200 with the linkage', async () => {
    const response = await suite.app.rest.post('/post/1/relationships/tags', { data: [tag(2), tag('5')] });
    expect(response.status).toBe(200);
    expect(response.document.data).toEqual([1, 2, 5].map((id) => ({ type: 'tag', id })));
    expect(response.document).toEqual((await suite.app.rest.get('/post/1/relationships/tags')).document);
    expect(response.document.meta).toEqual({ total: 3 });
  });

  it('RE-05: POST succeeds for members that it has already, and for an empty list', async () => {
    expect((await suite.app.rest.post('/post/1/relationships/tags', { data: [tag(1), tag(1)] })).ids).toEqual([1, 2]);
    expect((await suite.app.rest.post('/post/1/relationships/tags', { data: [] })).ids).toEqual([1, 2]);
  });

  it.each(['patch', 'put'] as const)('RE-02, RE-03: %s replaces all members', async (method) => {
    const response = await suite.app.rest[method]('/post/1/relationships/tags', { data: [tag(4), tag(3)] });
    expect([response.status, response.ids]).toEqual([200, [3, 4]]);
    expect(await suite.database.prisma.tag.count()).toBe(5);
  });

  it('PATCH with an empty list removes all members', async () => {
    const response = await suite.app.rest.patch('/post/1/relationships/tags', { data: [] });
    expect(response.document).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('RE-06: DELETE removes members', async () => {
    const response = await suite.app.rest.delete('/post/1/relationships/tags', { data: [tag(1)] });
    expect([response.status, response.ids]).toEqual([200, [2]]);
    expect(await suite.database.prisma.tag.count()).toBe(5);
  });

  it('RE-07: DELETE succeeds for resources that are no members, or do not exist', async () => {
    expect((await suite.app.rest.delete('/post/1/relationships/tags', { data: [tag(3), tag(99)] })).ids).toEqual([1, 2]);
  });

  it('RE-03: PATCH answers 404 and replaces nothing if one resource does not exist', async () => {
    const response = await suite.app.rest.patch('/post/1/relationships/tags', { data: [tag(3), tag(99), tag(98)] });
    expect(refusalOf(response)).toEqual([404, 'not-found /data/1', 'not-found /data/2']);
    expect(await tagsOf(1)).toEqual([1, 2]);
  });

  it('POST answers 404 and adds nothing if one resource does not exist', async () => {
    expect(refusalOf(await suite.app.rest.post('/post/1/relationships/tags', { data: [tag(3), tag(99)] }))).toEqual([
      404,
      'not-found /data/1',
    ]);
    expect(await tagsOf(1)).toEqual([1, 2]);
  });

  it('answers with a page of linkage and included resources, as GET does (IN-05)', async () => {
    const response = await suite.app.rest.post('/post/1/relationships/tags?page[limit]=1&sort=-id&include=tags&fields[tag]=name', {
      data: [tag(5)],
    });
    expect(response.document).toMatchObject({
      data: [{ type: 'tag', id: 5 }],
      included: [{ attributes: { name: 'unused' } }],
      meta: { total: 3 },
    });
  });

  it.each([
    ['RE-02: one identifier', { data: tag(1) }, [400, 'invalid-relation-data /data']],
    ['RE-02: null', { data: null }, [400, 'invalid-relation-data /data']],
    ['RE-02: no data', {}, [400, 'invalid-payload ']],
    ['RE-12: another type', { data: [tag(3), user(1)] }, [409, 'type-conflict /data/1/type']],
    ['an id of another kind', { data: [tag('x')] }, [400, 'invalid-id /data/0/id']],
    ['a resource to be created', { data: [{ type: 'tag', lid: 'a' }] }, [400, 'invalid-relation-data /data/0/lid']],
  ])('rejects %s by every method, before any SQL', async (_, body, refusal) => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'] as const) {
      expect(refusalOf(await suite.app.rest.request(method, '/post/1/relationships/tags', { body }))).toEqual(refusal);
    }
    expect(suite.database.statements.all).toEqual([]);
  });

  it('answers 404 by every method if the parent does not exist', async () => {
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'] as const) {
      const response = await suite.app.rest.request(method, '/post/999/relationships/tags', { body: { data: [tag(1)] } });
      expect(refusalOf(response)).toEqual([404, 'not-found nowhere']);
      expect(response.errors[0]?.detail).toBe('There is no post with id 999.');
    }
  });

  it.each([
    '/post/1/relationships/writers',
    '/post/1/relationships/title',
    '/user/1/relationships/tokens',
    '/post/1/relationships/constructor',
  ])('answers the same 404 to %s, for unknown and for hidden relationships', async (path) => {
    expect(refusalOf(await suite.app.rest.patch(path, { data: [] }))).toEqual([404, 'unsupported-relationship nowhere']);
  });
});

describeWrites('changing a to-many relationship whose members have the foreign key', {}, (suite) => {
  it('adds members, and so removes them from their previous parent', async () => {
    const response = await suite.app.rest.post('/post/1/relationships/comments', { data: [comment(2), comment(1)] });
    expect(response.ids).toEqual([1, 2, 11]);
    expect(await suite.database.prisma.comment.findUnique({ where: { id: 2 } })).toMatchObject({ postId: 1, body: 'Comment 2' });
  });

  it('RE-06, RE-11: answers 403 to removing members whose foreign key is required, and removes none', async () => {
    const removed = await suite.app.rest.delete('/post/1/relationships/comments', { data: [comment(1)] });
    expect(refusalOf(removed)).toEqual([403, 'forbidden /data']);
    const replaced = await suite.app.rest.patch('/post/1/relationships/comments', { data: [comment(1)] });
    expect(refusalOf(replaced)).toEqual([403, 'forbidden /data']);
    expect(await suite.database.prisma.comment.count({ where: { postId: 1 } })).toBe(2);
    expect(suite.database.statements.writes).toEqual([]);
  });

  it('RE-07: DELETE succeeds for resources that are no members', async () => {
    expect((await suite.app.rest.delete('/post/1/relationships/comments', { data: [comment(2), comment(999)] })).ids).toEqual([1, 11]);
  });

  it('PATCH succeeds if it names all present members', async () => {
    const data = [comment(11), comment(2), comment(1)];
    expect((await suite.app.rest.patch('/post/1/relationships/comments', { data })).ids).toEqual([1, 2, 11]);
  });

  it('removes and replaces members whose foreign key is optional', async () => {
    const post = (id: number): object => ({ type: 'post', id });
    expect((await suite.app.rest.get('/user/1/relationships/reviewedPosts')).ids).toEqual([2, 4, 6, 8, 10, 12]);
    expect((await suite.app.rest.delete('/user/1/relationships/reviewedPosts', { data: [post(2), post(1)] })).ids).toEqual([
      4, 6, 8, 10, 12,
    ]);
    expect((await suite.app.rest.patch('/user/1/relationships/reviewedPosts', { data: [post(1), post(4)] })).ids).toEqual([1, 4]);
    expect(await suite.database.prisma.post.count()).toBe(12);
  });
});

describeWrites('changing a to-one relationship', {}, (suite) => {
  it.each(['patch', 'put'] as const)('RE-01: %s replaces it, and answers 200 with the linkage', async (method) => {
    const response = await suite.app.rest[method]('/post/1/relationships/author', { data: user(2) });
    expect(response.status).toBe(200);
    expect(response.document).toEqual((await suite.app.rest.get('/post/1/relationships/author')).document);
    expect(response.document.data).toEqual({ type: 'user', id: 2 });
  });

  it('PATCH with null clears it', async () => {
    expect((await suite.app.rest.patch('/post/1/relationships/category', { data: null })).document.data).toBeNull();
    expect(await suite.database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({ categoryId: null });
  });

  it('whose foreign key is on the other side, is replaced only if no required foreign key would become null or be taken from another resource', async () => {
    const profile = (id: number): object => ({ type: 'profile', id });
    const link = (user: number, id: number) => suite.app.rest.patch(`/user/${user}/relationships/profile`, { data: profile(id) });
    expect((await link(2, 2)).document.data).toEqual(profile(2));
    expect(refusalOf(await link(5, 2))).toEqual([409, 'unique-conflict /data']);
    expect(refusalOf(await link(1, 2))).toEqual([403, 'forbidden /data']);
    expect(await suite.database.prisma.profile.findUnique({ where: { id: 2 } })).toMatchObject({ userId: 2 });
  });

  it.each([
    ['an array', '/post/1/relationships/author', { data: [user(1)] }, [400, 'invalid-relation-data /data']],
    ['RE-12: another type', '/post/1/relationships/author', { data: tag(1) }, [409, 'type-conflict /data/type']],
  ])('rejects %s, before any SQL', async (...[, path, body, refusal]) => {
    expect(refusalOf(await suite.app.rest.patch(path, body))).toEqual(refusal);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('RE-11: answers 403 to clearing a required one', async () => {
    expect(refusalOf(await suite.app.rest.patch('/post/1/relationships/author', { data: null }))).toEqual([403, 'forbidden /data']);
    expect(suite.database.statements.writes).toEqual([]);
  });

  it('RE-11, D4: answers 403 to POST and DELETE, before any SQL', async () => {
    for (const method of ['POST', 'DELETE'] as const) {
      expect(refusalOf(await suite.app.rest.request(method, '/post/1/relationships/author', { body: { data: user(1) } }))).toEqual([
        403,
        'forbidden nowhere',
      ]);
    }
    expect(suite.database.statements.all).toEqual([]);
  });

  it('answers 404 to linkage to a missing resource, and changes nothing', async () => {
    expect(refusalOf(await suite.app.rest.patch('/post/1/relationships/author', { data: user(99) }))).toEqual([404, 'not-found /data']);
    expect(await suite.database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({ authorId: 1 });
  });

  it.each(['patch', 'put'] as const)('D14: %s replaces and clears it also at the related URL', async (method) => {
    const replaced = await suite.app.rest[method]('/post/1/author', { data: user(3) });
    expect([replaced.status, replaced.document.data]).toEqual([200, { type: 'user', id: 3 }]);
    expect((await suite.app.rest[method]('/post/1/category', { data: null })).document.data).toBeNull();
    expect(await suite.database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({ authorId: 3, categoryId: null });
  });

  it('D14: answers 405 with Allow at the related URL of a to-many relationship', async () => {
    const response = await suite.app.rest.patch('/post/1/tags', { data: [] });
    expect(refusalOf(response)).toEqual([405, 'invalid-verb nowhere']);
    expect(response.headers['allow']).toBe('GET, HEAD, QUERY');
    expect(await suite.database.prisma.post.findUnique({ where: { id: 1 }, select: { tags: true } })).toMatchObject({
      tags: [{ id: 1 }, { id: 2 }],
    });
  });
});
