import { describeRules } from './rules-suite.js';

/** The status for missing and for unreadable rows. */
const MISSING = 404;
const REFUSED = 403;

const POST = { title: 'New', authorId: 1 };
const document = (type: string, attributes: object, more: object = {}) => ({ data: { type, attributes, ...more } });

describeRules('writes under row rules', (suite) => {
  const titleOf = async (id: number) => (await suite.database.prisma.post.findUnique({ where: { id } }))?.title;
  const counts = async () => {
    const { post, comment, tag, category } = suite.database.prisma;
    return [await post.count(), await comment.count(), await tag.count(), await category.count()];
  };

  it('creates rows that the rule allows, and rejects others with 403', async () => {
    expect((await suite.as(1).rpc('post/create', { data: POST, select: { title: true } })).data).toEqual({ title: 'New' });
    const before = await counts();
    const refused = await suite.as(2).rpc('post/create', { data: POST });
    expect([refused.status, refused.error]).toEqual([REFUSED, { message: 'You are not allowed to write this.', rejectedByPolicy: true }]);
    expect((await suite.as().rpc('post/create', { data: POST })).status).toBe(REFUSED);
    expect((await suite.as(2).rpc('post/createMany', { data: [{ ...POST, authorId: 2 }, POST] })).status).toBe(REFUSED);
    const author = { author: { data: { type: 'user', id: 2 } } };
    expect((await suite.as(1).rest('POST', '/post', document('post', { title: 'New' }, { relationships: author }))).status).toBe(REFUSED);
    expect(await counts()).toEqual(before);
    const { status, document: created } = await suite
      .as(2)
      .rest('POST', '/post', document('post', { title: 'New' }, { relationships: author }));
    expect([status, created.data.attributes.authorId]).toEqual([201, 2]);
  });

  it('updates and deletes rows that the rule allows, and answers with 404 for unreadable rows and 403 for others', async () => {
    expect((await suite.as(1).rpc('post/update', { where: { id: 1 }, data: { title: 'Changed' }, select: { title: true } })).data).toEqual({
      title: 'Changed',
    });
    for (const [id, status] of [
      [2, REFUSED],
      [3, MISSING],
      [99, MISSING],
    ] as const) {
      expect((await suite.as(1).rpc('post/update', { where: { id }, data: { title: 'Changed' } })).status).toBe(status);
      expect((await suite.as(1).rest('PATCH', `/post/${id}`, document('post', { title: 'Changed' }, { id }))).status).toBe(status);
      expect((await suite.as(1).rpc('post/delete', { where: { id } })).status).toBe(status);
      expect((await suite.as(1).rest('DELETE', `/post/${id}`)).status).toBe(status);
    }
    expect([await titleOf(2), await titleOf(3)]).toEqual(['Post 02', 'Post 03']);
    expect((await suite.as(3).rest('DELETE', '/post/3')).status).toBe(204);
    expect(
      (await suite.as(2).rpc('post/delete', { where: { id: 2 }, select: { id: true, author: { select: { id: true } } } })).data,
    ).toEqual({ id: 2, author: { id: 2 } });
  });

  it('returns the same error for an unreadable row and for a missing one', async () => {
    const answers = await Promise.all(
      [3, 99].flatMap((id) => [
        suite.as(1).rest('PATCH', `/post/${id}`, document('post', { title: 'x' }, { id })),
        suite.as(1).rest('DELETE', `/post/${id}`),
        suite.as(1).rpc('post/update', { where: { id }, data: { title: 'x' } }),
        suite.as(1).rpc('post/upsert', { where: { id, published: true }, update: {}, create: { ...POST, authorId: 2 } }),
        suite.as(1).rpc('comment/create', { data: { body: 'x', author: { connect: { id: 1 } }, post: { connect: { id } } } }),
        suite.as(1).rpc('comment/create', { data: { body: 'x', authorId: 1, postId: id } }),
        suite.as(1).rest('PATCH', '/comment/1/relationships/post', { data: { type: 'post', id } }),
        suite.as(1).rest('POST', '/user/1/relationships/posts', { data: [{ type: 'post', id }] }),
        suite.as(1).rpc('user/update', { where: { id: 1 }, data: { posts: { connect: { id } } } }),
        suite.as(1).rpc('user/update', { where: { id: 1 }, data: { posts: { update: { where: { id }, data: { title: 'x' } } } } }),
        suite.as(1).rpc('user/update', { where: { id: 1 }, data: { posts: { delete: { id } } } }),
        suite.as(1).rpc('user/update', { where: { id: 1 }, data: { posts: { set: [{ id }] } } }),
        suite.as(1).rpc('tag/findMany', { where: { posts: { some: { id } } } }),
      ]),
    );
    const texts = answers.map((answer) => JSON.stringify(answer).replaceAll(/\b(?:3|99)\b/g, 'n'));
    expect(texts.slice(texts.length / 2)).toEqual(texts.slice(0, texts.length / 2));
  });

  it('checks the updated row, and rolls back an update that a rule forbids', async () => {
    expect((await suite.as(1).rpc('post/update', { where: { id: 1 }, data: { authorId: 2 } })).status).toBe(REFUSED);
    expect((await suite.as(1).rpc('comment/update', { where: { id: 1 }, data: { body: 'forbidden' } })).status).toBe(REFUSED);
    expect((await suite.as(1).rest('PATCH', '/comment/1', document('comment', { body: 'forbidden' }, { id: 1 }))).status).toBe(REFUSED);
    const author = { data: { type: 'user', id: 2 } };
    expect((await suite.as(1).rest('PATCH', '/post/1/relationships/author', author)).status).toBe(REFUSED);
    expect((await suite.as(1).rpc('comment/updateMany', { where: {}, data: { body: 'forbidden' } })).status).toBe(REFUSED);
    expect((await suite.as(1).rpc('post/updateMany', { where: {}, data: { authorId: 2 } })).status).toBe(REFUSED);
    expect(await suite.database.prisma.comment.count({ where: { body: 'forbidden' } })).toBe(0);
    expect(await suite.database.prisma.post.count({ where: { authorId: 1 } })).toBe(4);
  });

  it('skips forbidden rows in updateMany and deleteMany', async () => {
    expect((await suite.as(1).rpc('post/updateMany', { where: { id: { lt: 6 } }, data: { viewCount: 1000 } })).data).toEqual({ count: 2 });
    expect((await suite.as(2).rpc('comment/updateMany', { where: {}, data: { body: 'mine' } })).data).toEqual({ count: 3 });
    expect(await suite.database.prisma.comment.findMany({ where: { body: 'mine' }, select: { authorId: true } })).toEqual(
      Array(3).fill({ authorId: 2 }),
    );
    expect((await suite.as().rpc('comment/updateMany', { where: {}, data: { body: 'x' } })).data).toEqual({ count: 0 });
    expect((await suite.as(2).rpc('comment/deleteMany', { where: { post: { published: true } } })).data).toEqual({ count: 3 });
    expect((await suite.as().rpc('comment/deleteMany', { where: {} })).data).toEqual({ count: 0 });
    expect((await suite.as(1).rpc('tag/deleteMany', { where: {} })).data).toEqual({ count: 0 });
  });

  it('enforces on an upsert the rule of the create or the update that it executes', async () => {
    const args = (id: number, authorId: number) => ({
      where: { id },
      update: { title: 'Up' },
      create: { title: 'In', authorId },
      select: { title: true },
    });
    expect((await suite.as(1).rpc('post/upsert', args(1, 1))).data).toEqual({ title: 'Up' });
    expect((await suite.as(1).rpc('post/upsert', args(2, 1))).status).toBe(REFUSED);
    expect((await suite.as(1).rpc('post/upsert', args(99, 1))).data).toEqual({ title: 'In' });
    expect((await suite.as(1).rpc('post/upsert', args(98, 2))).status).toBe(REFUSED);
  });

  it('enforces the rules of each row of a nested write', async () => {
    const before = await counts();
    const nested = (data: object) => suite.as(1).rpc('post/update', { where: { id: 1 }, data, select: { id: true } });
    for (const data of [
      { comments: { create: { body: 'x', authorId: 2 } } },
      {
        comments: {
          createMany: {
            data: [
              { body: 'x', authorId: 1 },
              { body: 'x', authorId: 2 },
            ],
          },
        },
      },
      { comments: { create: { body: 'x', author: { connect: { id: 2 } } } } },
      { comments: { connect: { id: 2 } } },
      { comments: { connectOrCreate: { where: { id: 2 }, create: { body: 'x', authorId: 1 } } } },
      { comments: { delete: { id: 11 }, update: { where: { id: 1 }, data: { body: 'forbidden' } } } },
      { comments: { updateMany: { where: {}, data: { body: 'forbidden' } } } },
      { comments: { upsert: { where: { id: 99 }, create: { body: 'x', authorId: 2 }, update: {} } } },
      { tags: { update: { where: { id: 1 }, data: { name: 'x' } } } },
      { tags: { delete: { id: 1 } } },
      { comments: { update: { where: { id: 1 }, data: { author: { connect: { id: 2 } } } } } },
      { author: { update: { comments: { connect: { id: 2 } } } } },
      { author: { update: { comments: { update: { where: { id: 6 }, data: { body: 'forbidden' } } } } } },
    ]) {
      const { status, error } = await nested(data);
      expect([data, status, error?.message]).toEqual([data, REFUSED, 'You are not allowed to write this.']);
    }
    expect(await counts()).toEqual(before);
    expect(
      (await nested({ comments: { create: { body: 'x', authorId: 1 } }, tags: { create: { name: 'x' }, disconnect: { id: 1 } } })).status,
    ).toBe(200);
    expect((await nested({ comments: { deleteMany: {} } })).status).toBe(200);
    // The caller may not delete one of the three comments on the post.
    expect(await suite.database.prisma.comment.count({ where: { postId: 1 } })).toBe(0);
    expect((await suite.as().rpc('post/create', { data: { ...POST, tags: { create: { name: 'y' } } } })).status).toBe(REFUSED);
  });

  it('does not unlink unreadable rows if a list is replaced', async () => {
    await suite.database.prisma.tag.update({ where: { id: 5 }, data: { posts: { connect: [{ id: 3 }, { id: 1 }] } } });
    const category = await suite
      .as(1)
      .rpc('category/create', { data: { slug: 'x', name: 'x', parentId: 4, posts: { connect: { id: 1 } } }, select: { id: true } });
    const { id } = category.data;
    await suite.database.prisma.post.update({ where: { id: 3 }, data: { categoryId: id } });
    expect((await suite.as(1).rpc('category/update', { where: { id }, data: { posts: { set: [] } } })).status).toBe(200);
    expect((await suite.as(1).rest('PATCH', `/category/${id}/relationships/posts`, { data: [] })).document.data).toEqual([]);
    expect(await suite.database.prisma.post.findMany({ where: { categoryId: id }, select: { id: true } })).toEqual([{ id: 3 }]);
  });

  it('enforces the rules of both records on relationship URLs', async () => {
    expect((await suite.as(1).rest('POST', '/post/1/relationships/tags', { data: [{ type: 'tag', id: 4 }] })).status).toBe(200);
    expect((await suite.as(2).rest('POST', '/post/1/relationships/tags', { data: [{ type: 'tag', id: 4 }] })).status).toBe(REFUSED);
    expect((await suite.as(2).rest('DELETE', '/post/1/relationships/tags', { data: [{ type: 'tag', id: 1 }] })).status).toBe(REFUSED);
    expect((await suite.as(2).rest('DELETE', '/post/3/relationships/tags', { data: [{ type: 'tag', id: 3 }] })).status).toBe(MISSING);
    expect((await suite.as(2).rest('POST', '/user/2/relationships/posts', { data: [{ type: 'post', id: 1 }] })).status).toBe(REFUSED);
    expect((await suite.as(2).rest('POST', '/user/2/relationships/posts', { data: [{ type: 'post', id: 3 }] })).status).toBe(MISSING);
    expect((await suite.as(2).rest('PATCH', '/post/2/relationships/category', { data: { type: 'category', id: 1 } })).status).toBe(MISSING);
    expect((await suite.as(2).rest('PATCH', '/post/2/relationships/category', { data: { type: 'category', id: 4 } })).status).toBe(200);
  });

  it('rolls back a whole batch', async () => {
    const batch = await suite.as(1).batch([
      { model: 'post', op: 'update', args: { where: { id: 1 }, data: { title: 'Changed' } } },
      { model: 'comment', op: 'create', args: { data: { body: 'x', postId: 1, authorId: 2 } } },
    ]);
    expect([batch.status, batch.error.message, batch.error.rejectedByPolicy]).toEqual([
      REFUSED,
      'operations[1]: You are not allowed to write this.',
      true,
    ]);
    expect(await titleOf(1)).toBe('Post 01');
    const done = await suite.as(1).batch([
      { model: 'post', op: 'update', args: { where: { id: 1 }, data: { title: 'Changed' }, select: { title: true } } },
      { model: 'comment', op: 'create', args: { data: { body: 'x', postId: 1, authorId: 1 }, select: { body: true } } },
    ]);
    expect(done.data).toEqual([{ title: 'Changed' }, { body: 'x' }]);
  });

  it('answers a stored write whose row is unreadable with 403 and the reason RESULT_NOT_READABLE', async () => {
    const data = { slug: 'x', name: 'x' };
    const created = await suite.as(1).rpc('category/create', { data });
    expect([created.status, created.error]).toEqual([
      REFUSED,
      { message: 'What was written may not be read.', rejectedByPolicy: true, reason: 'RESULT_NOT_READABLE' },
    ]);
    expect(await suite.database.prisma.category.count({ where: { slug: 'x' } })).toBe(1);
    const rest = await suite.as(1).rest('POST', '/category', document('category', { slug: 'y', name: 'y' }));
    expect([rest.status, rest.errors[0]?.code, rest.errors[0]?.meta]).toEqual([REFUSED, 'forbidden', { reason: 'RESULT_NOT_READABLE' }]);
    expect(await suite.database.prisma.category.count({ where: { slug: 'y' } })).toBe(1);
    // A batch is rolled back if this is not its last operation, because the results after it are missing.
    const batch = await suite.as(1).batch([
      { model: 'category', op: 'create', args: { data: { slug: 'z', name: 'z' } } },
      { model: 'post', op: 'count' },
    ]);
    expect([batch.status, batch.error.reason]).toEqual([REFUSED, undefined]);
    expect(await suite.database.prisma.category.count({ where: { slug: 'z' } })).toBe(0);
    expect((await suite.as(1).rpc('category/createMany', { data: [{ slug: 'w', name: 'w' }] })).data).toEqual({ count: 1 });
  });
});
