import { describeRules } from './rules-suite.js';

const document = (type: string, attributes: object, more: object = {}) => ({ data: { type, attributes, ...more } });

const NOT_READABLE = { message: 'What was written may not be read.', rejectedByPolicy: true, reason: 'RESULT_NOT_READABLE' };

describeRules('errors of row rules', (suite) => {
  it('name neither the rule nor its condition, in both styles', async () => {
    const rest = await suite.as(1).rest('PATCH', '/post/2', document('post', { title: 'x' }, { id: 2 }));
    expect([rest.status, rest.errors]).toEqual([
      403,
      [{ status: 403, code: 'forbidden', title: 'Forbidden', detail: 'You are not allowed to write this.' }],
    ]);
    const message = 'You are not allowed to write this.';
    const rpc = await suite.as(1).rpc('post/update', { where: { id: 2 }, data: { title: 'x' } });
    expect([rpc.status, rpc.error]).toEqual([403, { message, rejectedByPolicy: true }]);
    // Rejected before the write, after it, in a write of many, and by `false`.
    for (const [operation, args] of [
      ['post/create', { data: { title: 'x', authorId: 2 } }],
      ['comment/update', { where: { id: 6 }, data: { body: 'forbidden' } }],
      ['post/updateMany', { where: {}, data: { authorId: 2 } }],
      ['tag/update', { where: { id: 1 }, data: { name: 'x' } }],
      ['category/delete', { where: { id: 4 } }],
    ] as const) {
      const { status, error } = await suite.as(1).rpc(operation, args);
      expect([operation, status, error]).toEqual([operation, 403, { message, rejectedByPolicy: true }]);
    }
  });

  /** Category 4 may be read as long as it has a parent: null is neither equal to a number nor not. */
  it('have the reason RESULT_NOT_READABLE for a stored update whose row is unreadable afterwards, in every form of it', async () => {
    const { category } = suite.database.prisma;
    const isWritten = async () => (await category.findUnique({ where: { id: 4 } }))?.parentId === null;
    const writes = [
      () => suite.as(1).rpc('category/update', { where: { id: 4 }, data: { parentId: null } }),
      () => suite.as(1).rpc('category/update', { where: { id: 4 }, data: { parentId: null, posts: { connect: { id: 1 } } } }),
      () => suite.as(1).rpc('category/upsert', { where: { id: 4 }, update: { parentId: null }, create: { slug: 'x', name: 'x' } }),
    ];
    for (const write of writes) {
      await category.update({ where: { id: 4 }, data: { parentId: 2 } });
      const { status, error } = await write();
      expect([status, error, await isWritten()]).toEqual([403, NOT_READABLE, true]);
    }
    await category.update({ where: { id: 4 }, data: { parentId: 2 } });
    const rest = await suite.as(1).rest('PATCH', '/category/4', document('category', { parentId: null }, { id: 4 }));
    expect([rest.status, rest.errors[0]?.code, rest.errors[0]?.meta]).toEqual([403, 'forbidden', { reason: 'RESULT_NOT_READABLE' }]);
    expect(await isWritten()).toBe(true);
    // `updateMany` returns no row.
    await category.update({ where: { id: 4 }, data: { parentId: 2 } });
    expect((await suite.as(1).rpc('category/updateMany', { where: { id: 4 }, data: { parentId: null } })).data).toEqual({ count: 1 });
  });

  it('write nothing if the updated row violates a rule, even if it is unreadable, too', async () => {
    const refused = await suite.as(1).rpc('category/update', { where: { id: 4 }, data: { parentId: null, name: 'forbidden' } });
    expect([refused.status, refused.error]).toEqual([403, { message: 'You are not allowed to write this.', rejectedByPolicy: true }]);
    expect(await suite.database.prisma.category.findUnique({ where: { id: 4 } })).toMatchObject({ parentId: 2, name: 'PostgreSQL' });
  });

  /** A unique conflict reveals that a row with the key exists, as under policies of PostgreSQL (`docs/policies.md`), and nothing else. */
  it('are unique conflicts for an upsert or a create with the key of an unreadable row, which does not change', async () => {
    const before = await suite.database.prisma.profile.findUnique({ where: { userId: 1 } });
    const profile = { bio: 'a bug', userId: 1 };
    for (const [operation, args] of [
      ['profile/upsert', { where: { userId: 1 }, update: { bio: 'a bug' }, create: profile }],
      ['profile/create', { data: profile }],
    ] as const) {
      const { status, error } = await suite.as(2).rpc(operation, args);
      expect([operation, status, error.code, JSON.stringify(error)]).toEqual([
        operation,
        400,
        'P2002',
        expect.not.stringContaining('program'),
      ]);
    }
    const user = { user: { data: { type: 'user', id: 1 } } };
    const rest = await suite.as(2).rest('POST', '/profile', document('profile', { bio: 'a bug' }, { relationships: user }));
    expect([rest.status, rest.errors[0]?.code]).toEqual([409, 'unique-conflict']);
    expect(await suite.database.prisma.profile.findUnique({ where: { userId: 1 } })).toEqual(before);
  });

  /** Comments 3 and 13 are on post 3, which only user 3 may read. */
  it('do not occur if a write of many filters by unreadable related rows, which match nothing', async () => {
    const comments = await suite.database.prisma.comment.findMany({ where: { postId: 3 }, select: { authorId: true } });
    for (const { authorId } of comments) {
      if (authorId === null) continue;
      const own = (where: object) => ({ where: { authorId, ...where }, data: { body: 'x' } });
      const seen = await suite.as(authorId).rpc('comment/count', { where: { authorId, post: { title: 'Post 03' } } });
      const changed = await suite.as(authorId).rpc('comment/updateMany', own({ post: { title: 'Post 03' } }));
      expect(changed.data).toEqual({ count: seen.data });
      expect(seen.data).toBe(authorId === 3 ? comments.filter((comment) => comment.authorId === 3).length : 0);
    }
  });
});
