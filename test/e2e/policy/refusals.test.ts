import { withRowLevelSecurity } from 'nestjs-resource-api';
import { type BlogApp, startBlogApp } from './blog-app.js';
import { type BlogDatabase, openBlogDatabase } from './blog-database.js';
import { ENGINES } from './engines.js';

const READER = 5;
/** The name of a policy that lets readers create comments but not read them. */
const LETTERBOX = 'no comment is read by readers';

describe.each(ENGINES)('refusals by row-level security on %s', (engine) => {
  let database: BlogDatabase;
  let app: BlogApp;

  beforeAll(async () => {
    database = await openBlogDatabase(engine);
    app = await startBlogApp(database.prisma);
  }, 60_000);
  beforeEach(() => database.reset());
  afterAll(async () => {
    await app.close();
    await database.close();
  });

  it('answers a forbidden write with 403 in both styles, without the message of the database', async () => {
    const before = await database.dump();
    const rest = await app.as(3).rest('PATCH', '/post/2', { data: { type: 'post', id: 2, attributes: { title: 'Mine now' } } });
    expect([rest.status, rest.errors]).toEqual([
      403,
      [
        {
          status: 403,
          code: 'forbidden',
          title: expect.any(String),
          detail: 'You are not allowed to do this.',
          ormCode: '42501',
        },
      ],
    ]);
    const rpc = await app.as(3).rpc('post/update', { where: { id: 2 }, data: { title: 'Mine now' } });
    expect([rpc.status, rpc.error]).toEqual([
      403,
      { message: 'You are not allowed to do this.', orm: true, code: '42501', rejectedByPolicy: true },
    ]);
    expect(await database.dump()).toBe(before);
  });

  it('answers a write to a hidden row with the same 404 as one to a missing row', async () => {
    const before = await database.dump();
    const [hidden, missing] = [6, 6000].map((id) => ({
      rest: app.as(3).rest('PATCH', `/post/${id}`, { data: { type: 'post', id, attributes: { title: 'x' } } }),
      restDelete: app.as(3).rest('DELETE', `/post/${id}`),
      rpc: app.as(3).rpc('post/update', { where: { id }, data: { title: 'x' } }),
      rpcDelete: app.as(3).rpc('post/delete', { where: { id }, include: { author: true } }),
    }));
    for (const name of ['rest', 'restDelete', 'rpc', 'rpcDelete'] as const) {
      const [one, other] = [await hidden?.[name], await missing?.[name]];
      expect(one?.status).toBe(404);
      expect(one?.text.replaceAll('6', '')).toBe(other?.text.replaceAll('6', '').replaceAll('000', ''));
    }
    expect(await database.dump()).toBe(before);
  });

  it('rejects with 403, instead of skipping, visible rows that the caller may not change, also in nested and bulk writes', async () => {
    const before = await database.dump();
    const { rpc, sequential } = app.as(3);
    // Post 10 is published, and by user 2.
    const tag = await database.prisma.tag.findFirstOrThrow({ where: { posts: { some: { id: 10 } } } });
    const answers = [
      await rpc('post/delete', { where: { id: 10 }, include: { comments: true } }),
      await rpc('tag/update', { where: { id: tag.id }, data: { posts: { update: { where: { id: 10 }, data: { title: 'x' } } } } }),
      await rpc('tag/update', { where: { id: tag.id }, data: { posts: { delete: { id: 10 } } } }),
      await rpc('tag/update', { where: { id: tag.id }, data: { posts: { disconnect: { id: 10 } } } }),
      await rpc('post/updateMany', { where: { id: { in: [3, 10] } }, data: { title: 'x' } }),
      await rpc('post/deleteMany', { where: { authorId: 2 } }),
      await rpc('post/upsert', { where: { id: 10 }, update: { title: 'x' }, create: { title: 'x', slug: 'x', authorId: 3 } }),
      await sequential([
        { model: 'post', op: 'update', args: { where: { id: 3 }, data: { title: 'Mine' } } },
        { model: 'post', op: 'update', args: { where: { id: 10 }, data: { title: 'Not mine' } } },
      ]),
    ];
    expect(answers.map(({ status, error }) => [status, error.rejectedByPolicy])).toEqual(answers.map(() => [403, true]));
    expect(await database.dump()).toBe(before);
  });

  describe('if a policy allows a caller to write rows that the caller may not read', () => {
    beforeAll(async () => {
      await database.prisma.$executeRawUnsafe(
        `CREATE POLICY "${LETTERBOX}" ON "Comment" AS RESTRICTIVE FOR SELECT USING (caller_role() <> 'READER')`,
      );
    });
    afterAll(async () => {
      await database.prisma.$executeRawUnsafe(`DROP POLICY "${LETTERBOX}" ON "Comment"`);
    });

    it('rejects with 403 a create that returns its row, in both styles, and writes nothing', async () => {
      const before = await database.dump();
      const relationships = { post: { data: { type: 'post', id: 1 } }, author: { data: { type: 'user', id: READER } } };
      const rest = await app.as(READER).rest('POST', '/comment', { data: { type: 'comment', attributes: { body: 'x' }, relationships } });
      const rpc = await app.as(READER).rpc('comment/create', { data: { body: 'x', postId: 1, authorId: READER } });
      expect([rest.status, rpc.status, rpc.error.rejectedByPolicy, rpc.error.reason]).toEqual([403, 403, true, undefined]);
      expect(await database.dump()).toBe(before);
    });

    it('stores the rows of createMany, which returns only their number', async () => {
      const { status, data } = await app.as(READER).rpc('comment/createMany', { data: [{ body: 'x', postId: 1, authorId: READER }] });
      expect([status, data]).toEqual([201, { count: 1 }]);
      expect(await database.prisma.comment.count()).toBe(211);
    });

    it('answers an update of such a row with 404', async () => {
      const rpc = await app.as(READER).rpc('comment/update', { where: { id: 4 }, data: { body: 'x' } });
      expect([rpc.status, rpc.error.rejectedByPolicy]).toEqual([404, undefined]);
    });
  });

  // `docs/policies.md` warns of this, and the triggers of the blog prevent it. The test fails once Prisma has fixed it.
  describe('if a policy filters deletes and no trigger rejects them', () => {
    beforeAll(async () => {
      await database.prisma.$executeRawUnsafe('ALTER TABLE "Post" DISABLE TRIGGER USER');
      await database.prisma.$executeRawUnsafe('CREATE POLICY "own" ON "Post" AS RESTRICTIVE FOR DELETE USING ("authorId" = caller_id())');
    });
    afterAll(async () => {
      await database.prisma.$executeRawUnsafe('DROP POLICY "own" ON "Post"');
      await database.prisma.$executeRawUnsafe('ALTER TABLE "Post" ENABLE TRIGGER USER');
    });

    it('Prisma reports a missing row, or with include a successful delete of a row that still exists', async () => {
      const plain = await app.as(3).rpc('post/delete', { where: { id: 10 } });
      const including = await app.as(3).rpc('post/delete', { where: { id: 10 }, include: { author: true } });
      expect([plain.status, including.status]).toEqual([404, 200]);
      expect(await database.prisma.post.count({ where: { id: 10 } })).toBe(1);
    });
  });

  it('answers with 500, not 403, if the role does not exist', async () => {
    const misconfigured = await startBlogApp(database.prisma, () => withRowLevelSecurity(database.prisma, { role: 'no_such_role' }));
    try {
      const rest = await misconfigured.as(2).rest('GET', '/post');
      const rpc = await misconfigured.as(2).rpc('post/count');
      expect([rest.status, rest.errors[0]?.code, rpc.status, rpc.error.rejectedByPolicy]).toEqual([500, 'unknown-error', 500, undefined]);
    } finally {
      await misconfigured.close();
    }
  });
});

describe('a data client that cannot read back the row that it has written', () => {
  it.each([
    ['ZenStack 3', { reason: 'rejected-by-policy', rejectedByPolicyReason: 'cannot-read-back' }],
    ['ZenStack 2', { name: 'PrismaClientKnownRequestError', code: 'P2004', meta: { reason: 'RESULT_NOT_READABLE' } }],
  ])('makes the request a 403 with the reason RESULT_NOT_READABLE: %s', async (_, members) => {
    const fail = (): Promise<never> => Promise.reject(Object.assign(new Error('result is not allowed to be read back'), members));
    const app = await startBlogApp(undefined as never, () => ({ tag: { create: fail }, $transaction: fail }));
    try {
      const rpc = await app.as(2).rpc('tag/create', { data: { name: 'x' } });
      expect([rpc.status, rpc.error]).toMatchObject([403, { orm: true, rejectedByPolicy: true, reason: 'RESULT_NOT_READABLE' }]);
      expect(JSON.parse(rpc.text)).toHaveProperty('error.rejectReason', 'cannot-read-back');
      const rest = await app.as(2).rest('POST', '/tag', { data: { type: 'tag', attributes: { name: 'x' } } });
      expect([rest.status, rest.errors[0]?.code]).toEqual([403, 'forbidden']);
    } finally {
      await app.close();
    }
  });
});
