import { itByPrisma, writeOfOne } from '../../support/sql-reads.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { PRODUCT } from '../../support/seed.js';
import { comment, describeWrites, refusalOf, tag, user } from './write-suite.js';

const post = (attributes: object, relationships: object = {}): object => ({ data: { type: 'post', id: '1', attributes, relationships } });

describeWrites('updating a resource', {}, (suite) => {
  it.each(['patch', 'put'] as const)('UP-03, UP-04, UP-06, D3: %s changes only the members of the request', async (method) => {
    const { one: before } = await suite.app.rest.get('/post/1');
    const response = await suite.app.rest[method]('/post/1', post({ title: 'Changed' }));
    expect(response.status).toBe(200);
    expect(response.one).toEqual({
      ...before,
      attributes: {
        ...before.attributes,
        title: 'Changed',
        updatedAt: expect.not.stringContaining(String(before.attributes['updatedAt'])),
      },
    });
    expect((await suite.app.rest.get('/post/1')).one).toEqual(response.one);
  });

  onDatabases('postgresql', 'sqlite').it('executes one statement if the changes reference no other record', async () => {
    await suite.app.rest.patch('/post/1', post({ title: 'Changed', reviewerId: null }));
    expect(suite.database.statements.queries).toEqual([expect.stringMatching(writeOfOne('UPDATE'))]);
  });

  it('D6: sets and clears foreign keys, and answers 404 to one of a missing record', async () => {
    const response = await suite.app.rest.patch('/post/1', post({ authorId: 2, reviewerId: 3, categoryId: null }));
    expect(response.one.attributes).toMatchObject({ authorId: 2, reviewerId: 3, categoryId: null });
    expect(refusalOf(await suite.app.rest.patch('/post/1', post({ title: 'x', reviewerId: 99 })))).toEqual([
      404,
      'not-found /data/attributes/reviewerId',
    ]);
    expect((await suite.app.rest.get('/post/1')).one).toEqual(response.one);
  });

  it('D17: accepts a document without id, and an id as number or string', async () => {
    for (const id of [undefined, 1, '1']) {
      expect((await suite.app.rest.patch('/post/1', { data: { type: 'post', id, attributes: { title: 'x' } } })).status).toBe(200);
    }
  });

  it('UP-05: replaces the relationships of the request, and does not change the related resources', async () => {
    const tags = await suite.database.prisma.tag.findMany();
    const relationships = { author: { data: user(2) }, category: { data: null }, tags: { data: [tag(5)] } };
    const { one } = await suite.app.rest.patch('/post/1?include=tags', post({}, relationships));
    expect(one.relationships).toMatchObject({
      author: { data: { type: 'user', id: 2 } },
      category: { data: null },
      tags: { data: [{ type: 'tag', id: 5 }] },
    });
    expect(await suite.database.prisma.tag.findMany()).toEqual(tags);
    expect(await suite.database.prisma.comment.count({ where: { postId: 1 } })).toBe(2);
  });

  it('empties a to-many relationship', async () => {
    const { one } = await suite.app.rest.patch('/post/1?include=tags', post({}, { tags: { data: [] } }));
    expect(one.relationships['tags']?.data).toEqual([]);
  });

  itByPrisma('writes attributes and all relationships in one transaction (WR-01)', async () => {
    await suite.app.rest.patch('/post/1', post({ title: 'x' }, { author: { data: user(2) }, tags: { data: [tag(1)] } }));
    expect(suite.database.statements.transactionControl).toEqual(['BEGIN', 'COMMIT']);
  });

  it.each([
    ['UP-01: no document', { data: null }, [400, 'invalid-payload /data']],
    ['UP-02: another type', { data: { type: 'tag', id: '1' } }, [409, 'type-conflict /data/type']],
    ['UP-02: another id', { data: { type: 'post', id: '2' } }, [409, 'id-conflict /data/id']],
    ['UP-05: a relationship without data', post({}, { tags: { links: {} } }), [400, 'invalid-relation-data /data/relationships/tags']],
    [
      'a required relationship to be cleared',
      post({}, { author: { data: null } }),
      [400, 'invalid-relation-data /data/relationships/author/data'],
    ],
    ['null as a required attribute', post({ title: null }), [400, 'invalid-value /data/attributes/title']],
    ['an unknown attribute', post({ titel: 'x' }), [400, 'invalid-payload /data/attributes/titel']],
    ['an operation as a value', post({ viewCount: { increment: 1 } }), [400, 'invalid-value /data/attributes/viewCount']],
    [
      'a nested write as a relationship',
      post({}, { tags: { create: [{ name: 'x' }] } }),
      [400, 'invalid-relation-data /data/relationships/tags'],
    ],
    ['a where as an id', post({}, { author: { data: user({ not: 0 }) } }), [400, 'invalid-payload /data/relationships/author/data/id']],
    ['another type in linkage', post({}, { tags: { data: [user(1)] } }), [409, 'type-conflict /data/relationships/tags/data/0/type']],
  ])('rejects %s, before any SQL', async (_, body, refusal) => {
    expect(refusalOf(await suite.app.rest.patch('/post/1', body))).toEqual(refusal);
    expect(suite.database.statements.all).toEqual([]);
  });

  it.each(['passwordHash', 'recoveryCode', 'loginCount', 'locale', 'tokens'])(
    'rejects user.%s: hidden, read-only and immutable fields (mass assignment)',
    async (name) => {
      const response = await suite.app.rest.patch('/user/1', { data: { type: 'user', attributes: { [name]: 'x', name: 'y' } } });
      expect(refusalOf(response)).toEqual([400, `invalid-payload /data/attributes/${name}`]);
      expect(suite.database.statements.all).toEqual([]);
    },
  );

  it('sets a write-only attribute, and does not return it', async () => {
    const response = await suite.app.rest.patch('/user/1', { data: { type: 'user', attributes: { pin: '4711' } } });
    expect(response.status).toBe(200);
    expect(response.text).not.toContain('4711');
    expect(await suite.database.prisma.user.findUnique({ where: { id: 1 } })).toMatchObject({ pin: '4711' });
  });

  it('UP-10: answers 404 to a missing resource, with its type and id', async () => {
    const response = await suite.app.rest.patch('/post/999', { data: { type: 'post', attributes: { title: 'x' } } });
    expect(refusalOf(response)).toEqual([404, 'not-found nowhere']);
    expect(response.errors[0]?.detail).toBe('There is no post with id 999.');
  });

  it('UP-10: answers 404 to a missing resource also without changes', async () => {
    expect((await suite.app.rest.patch('/post/999', { data: { type: 'post' } })).status).toBe(404);
    expect((await suite.app.rest.patch('/post/999', { data: { type: 'post', relationships: { tags: { data: [] } } } })).status).toBe(404);
  });

  it('UP-11, RE-03: answers 404 to linkage to a missing resource, and changes nothing', async () => {
    const before = await suite.app.rest.get('/post/1?include=tags');
    const response = await suite.app.rest.patch('/post/1', post({ title: 'x' }, { tags: { data: [tag(1), tag(99)] } }));
    expect(refusalOf(response)).toEqual([404, 'not-found /data/relationships/tags/data/1']);
    expect((await suite.app.rest.get('/post/1?include=tags')).text).toBe(before.text);
  });

  it('UP-12: answers 409 to a duplicate unique attribute, and changes nothing', async () => {
    const body = { data: { type: 'category', attributes: { name: 'x', slug: 'cooking' } } };
    expect(refusalOf(await suite.app.rest.patch('/category/1', body))).toEqual([409, 'unique-conflict /data/attributes/slug']);
    expect(await suite.database.prisma.category.findUnique({ where: { id: 1 } })).toMatchObject({ name: 'Software' });
  });

  onDatabases('postgresql', 'mariadb').it('WR-01: changes nothing if the database rejects a part of the write', async () => {
    const before = await suite.app.rest.get(`/product/${PRODUCT.atlas}?include=warehouses`);
    const relationships = { warehouses: { data: [{ type: 'warehouse', id: 'wh-central' }] } };
    const body = { data: { type: 'product', attributes: { name: 'x', sku: 'longer than twelve' }, relationships } };
    const response = await suite.app.rest.patch(`/product/${PRODUCT.atlas}`, body);
    expect([response.status, response.errors[0]?.code]).toEqual([400, 'invalid-value']);
    expect((await suite.app.rest.get(`/product/${PRODUCT.atlas}?include=warehouses`)).text).toBe(before.text);
  });

  it('rejects to remove members whose foreign key is required, and changes nothing', async () => {
    const response = await suite.app.rest.patch('/post/1', post({ title: 'x' }, { comments: { data: [comment(2)] } }));
    expect(refusalOf(response)).toEqual([400, 'invalid-relation-data /data/relationships/comments/data']);
    expect(await suite.database.prisma.post.findUnique({ where: { id: 1 } })).toMatchObject({ title: 'Post 01' });
    expect(suite.database.statements.writes).toEqual([]);
  });

  it('adds members to such a relationship if the list has all present ones', async () => {
    const { one } = await suite.app.rest.patch(
      '/post/1?include=comments',
      post({}, { comments: { data: [comment(1), comment(11), comment(2)] } }),
    );
    expect(one.relationships['comments']?.data).toHaveLength(3);
  });

  it('rejects to link a record of a one-to-one relationship that is linked to another one', async () => {
    const relationships = { profile: { data: { type: 'profile', id: 3 } } };
    const response = await suite.app.rest.patch('/user/4', { data: { type: 'user', relationships } });
    expect(refusalOf(response)).toEqual([409, 'unique-conflict /data/relationships/profile/data']);
    expect(await suite.database.prisma.profile.findUnique({ where: { id: 3 } })).toMatchObject({ userId: 3 });
  });

  it('clears a one-to-one from the side without the foreign key only if it is empty', async () => {
    const body = { data: { type: 'user', relationships: { profile: { data: null } } } };
    expect((await suite.app.rest.patch('/user/5', body)).one.relationships['profile']?.data).toBeNull();
    expect(refusalOf(await suite.app.rest.patch('/user/1', body))).toEqual([400, 'invalid-relation-data /data/relationships/profile/data']);
  });

  it('allows cycles in a tree, unless the database rejects them', async () => {
    const body = { data: { type: 'category', relationships: { parent: { data: { type: 'category', id: 4 } } } } };
    expect((await suite.app.rest.patch('/category/1', body)).one.relationships['parent']?.data).toEqual({ type: 'category', id: 4 });
  });
});
