import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ResourceClients, type RulesOption } from '../../../lib/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { listsIn } from '../../support/databases/this-database.js';
import { openTestDatabase, type TestDatabase } from '../../support/database.js';
import { sample } from '../../support/sample.js';
import { onPlatforms, startTestApp, type TestApp } from '../../support/test-app.js';
import { CallerGuard, type CallerRequest, received, HooksModule, onCommit, events } from './recording-hooks.js';

const RULES: RulesOption = {
  'Post': {
    'read': true,
    '*': ({ callerId = 0 }: CallerRequest) => ({ authorId: callerId }),
  },
  '*': { read: true, create: true, update: { using: true, check: { NOT: { id: -1 } } }, delete: true },
};

const SETUPS: readonly (readonly [string, { readonly rules?: RulesOption }])[] = [
  ['under rules', { rules: RULES }],
  ['without rules', {}],
];

onPlatforms('hooks of a model', (platform) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  describe.each(sample.oneIn(2, SETUPS))('%s', (_, options) => {
    let app: TestApp;
    beforeAll(async () => {
      app = await startTestApp({ platform, database, options: { guards: [CallerGuard], ...options }, imports: [HooksModule] });
    });
    beforeEach(async () => {
      await database.reset();
      await database.prisma.auditEvent.deleteMany();
      events.length = 0;
      received.clear();
      onCommit.work = () => undefined;
    });
    afterAll(() => app.close());

    const rpc = (operation: string, args: object): ReturnType<typeof app.rpc.call> => app.rpc.call(operation, args);
    const audited = async (): Promise<readonly string[]> => {
      const rows = await database.prisma.auditEvent.findMany({ orderBy: { id: 'asc' } });
      return rows.map(({ type, payload }) => `${type} ${(payload as { changed: string[] }).changed.join(' ')}`.trim());
    };
    /** The actions and models of the audit log, without the names of changed fields. */
    const writes = async (): Promise<readonly string[]> => (await audited()).map((line) => line.split(' ').slice(0, 2).join(' '));
    const post = (id: number): ReturnType<typeof database.prisma.post.findUnique> => database.prisma.post.findUnique({ where: { id } });

    it('receive the data, key, before, after and changed fields of a create, an update and a delete in REST', async () => {
      const document = { data: { type: 'post', attributes: { title: 'New', authorId: 1 } } };
      const { status, one } = await app.rest.post('/post', document);
      const id = Number(one.id);
      expect(status).toBe(201);
      expect(events).toEqual(['before create Post', 'after create Post', 'commit create Post']);
      expect(received.get('before create Post')).toMatchObject({ data: { title: 'New', authorId: 1 }, request: { callerId: 1 } });
      expect(received.get('before create Post')).toMatchObject({ key: undefined, before: undefined });
      expect(received.get('after create Post')).toMatchObject({
        key: { id },
        before: undefined,
        after: { id, title: 'New', published: false, createdAt: expect.any(Date) as unknown },
        request: { callerId: 1 },
      });
      expect(received.get('commit create Post')).toMatchObject({ rows: [{ id, title: 'New' }], request: { callerId: 1 } });

      events.length = 0;
      await app.rest.patch(`/post/${id}`, { data: { type: 'post', id, attributes: { title: 'Newer' } } });
      expect(events).toEqual(['before update Post', 'after update Post', 'commit update Post']);
      expect(received.get('before update Post')).toMatchObject({
        data: { title: 'Newer' },
        key: { id },
        before: { id, title: 'New', viewCount: 0 },
      });
      expect(received.get('after update Post')).toMatchObject({
        before: { title: 'New' },
        after: { title: 'Newer' },
        changed: ['title', 'updatedAt'],
      });

      events.length = 0;
      expect((await app.rest.delete(`/post/${id}`)).status).toBe(204);
      expect(events).toEqual(['before delete Post', 'after delete Post', 'commit delete Post']);
      expect(received.get('before delete Post')).toMatchObject({ data: undefined, key: { id }, before: { title: 'Newer' } });
      expect(received.get('after delete Post')).toMatchObject({ before: { title: 'Newer' }, after: undefined, key: { id } });
      expect(received.get('commit delete Post')).toMatchObject({ rows: [{ title: 'Newer' }], changes: [{ before: { id } }] });
      expect(await writes()).toEqual(['create Post', 'update Post', 'delete Post']);
    });

    it('add no fields to the selection of the response', async () => {
      const made = await rpc('post/create', { data: { title: 'New', authorId: 1 }, select: { title: true } });
      expect(made.data).toEqual({ title: 'New' });
      const where = { id: 1 };
      expect((await rpc('post/update', { where, data: { title: 'New' }, select: { title: true } })).data).toEqual({ title: 'New' });
      const deleted = await rpc('comment/delete', { where: { id: 1 }, select: { post: { select: { title: true } } } });
      expect(deleted.data).toEqual({ post: { title: 'New' } });
    });

    it.each([
      [{ create: [{ body: 'a' }, { body: 'b' }] }, ['create Comment', 'create Comment']],
      [{ createMany: { data: [{ body: 'a' }, { body: 'b' }] } }, ['create Comment', 'create Comment']],
      [{ connectOrCreate: { where: { id: 10_000 }, create: { body: 'a' } } }, ['create Comment']],
      [{ connectOrCreate: { where: { id: 4 }, create: { body: 'a' } } }, ['update Comment']],
      [{ connect: [{ id: 4 }, { id: 5 }] }, ['update Comment', 'update Comment']],
      [{ update: { where: { id: 1 }, data: { body: 'new' } } }, ['update Comment']],
      [{ updateMany: { where: {}, data: { body: 'new' } } }, 'update Comment'],
      [{ upsert: { where: { id: 1 }, update: { body: 'new' }, create: { body: 'b' } } }, ['update Comment']],
      [{ upsert: { where: { id: 10_000 }, update: { body: 'new' }, create: { body: 'b' } } }, ['create Comment']],
      [{ delete: { id: 1 } }, ['delete Comment']],
      [{ deleteMany: {} }, 'delete Comment'],
    ])('run once for each record that a nested write changes: %j', async (comments, expected) => {
      const count = await database.prisma.comment.count({ where: { postId: 1 } });
      const { status } = await rpc('post/update', { where: { id: 1 }, data: { comments } });
      expect(status).toBe(200);
      const all = typeof expected === 'string' ? Array.from({ length: count }, () => expected) : expected;
      expect(await writes()).toEqual(all);
      expect(events).toEqual([]);
    });

    it('receive a link as an update of the record that has the foreign key, from either side of the relation', async () => {
      expect((await rpc('post/update', { where: { id: 1 }, data: { category: { disconnect: true } } })).status).toBe(200);
      expect((await rpc('category/update', { where: { id: 1 }, data: { posts: { connect: { id: 1 } } } })).status).toBe(200);
      expect((await rpc('category/update', { where: { id: 1 }, data: { posts: { set: [] } } })).status).toBe(200);
      const lines = await audited();
      expect(lines.every((line) => line === 'update Post updatedAt categoryId')).toBe(true);
      expect(lines.length).toBeGreaterThanOrEqual(3);
      expect(received.get('before update Post')).toMatchObject({ data: { categoryId: null } });
    });

    it('receive a link of a many-to-many relation as an update, without data, of the record that the request names', async () => {
      expect((await rpc('post/update', { where: { id: 1 }, data: { tags: { connect: { id: 1 } } } })).status).toBe(200);
      expect(events).toEqual(['before update Post', 'after update Post', 'commit update Post']);
      expect(received.get('before update Post')).toMatchObject({ data: {} });
      expect(received.get('after update Post')).toMatchObject({ changed: [] });
    });

    it('run for referenced records first, then for the record, then for those that reference it', async () => {
      const data = {
        title: 'Deep',
        author: { connect: { id: 1 } },
        category: { create: { name: 'New', slug: 'new' } },
        comments: { create: { body: 'x' } },
      };
      expect((await rpc('post/create', { data })).status).toBe(201);
      expect(await writes()).toEqual(['create Category', 'create Post', 'create Comment']);
      const { id } = await database.prisma.category.findUniqueOrThrow({ where: { slug: 'new' } });
      expect(received.get('before create Post')).toMatchObject({ data: { title: 'Deep', authorId: 1, categoryId: id } });
    });

    it('run for each record of createMany, updateMany and deleteMany, and once after the commit for all of a model and action', async () => {
      const data = [1, 2, 3].map((n) => ({ title: `Many ${n}`, authorId: 1 }));
      expect((await rpc('post/createMany', { data })).data).toEqual({ count: 3 });
      expect(await writes()).toEqual(Array.from({ length: 3 }, () => 'create Post'));
      expect(events.filter((line) => line === 'commit create Post')).toHaveLength(1);
      expect(received.get('commit create Post')).toMatchObject({ rows: [{ title: 'Many 1' }, { title: 'Many 2' }, { title: 'Many 3' }] });
      const where = { title: { startsWith: 'Many' } };
      expect((await rpc('post/updateMany', { where, data: { viewCount: { increment: 2 } } })).data).toEqual({ count: 3 });
      expect(received.get('before update Post')).toMatchObject({ data: { viewCount: { increment: 2 } } });
      expect(received.get('after update Post')).toMatchObject({ before: { viewCount: 0 }, after: { viewCount: 2 } });
      expect((await rpc('post/updateMany', { where, data: { viewCount: 7 }, limit: 1 })).data).toEqual({ count: 1 });
      expect((await rpc('post/deleteMany', { where, limit: 2 })).data).toEqual({ count: 2 });
      expect((await rpc('post/deleteMany', { where })).data).toEqual({ count: 1 });
      const count = (line: string): number => events.filter((one) => one === line).length;
      expect([count('after update Post'), count('after delete Post')]).toEqual([4, 3]);
    });

    it('receive an upsert as the create or the update that it executes', async () => {
      const args = (id: number): object => ({ where: { id }, create: { title: 'c', authorId: 1 }, update: { title: 'u' } });
      expect((await rpc('post/upsert', args(10_000))).status).toBe(200);
      expect((await rpc('post/upsert', args(1))).status).toBe(200);
      expect(events.filter((line) => line.startsWith('after'))).toEqual(['after create Post', 'after update Post']);
    });

    it('may return other data, on which the rules are enforced', async () => {
      const { status } = await rpc('post/create', { data: { title: 'changed', authorId: 1 } });
      expect(status).toBe(options.rules ? 403 : 201);
      const headers = { 'x-user-id': '3' };
      const { data } = await app.rpc.call('post/create', { data: { title: 'changed', authorId: 3, viewCount: 5 } }, { headers });
      expect(data).toMatchObject({
        title: 'changed!',
        ...listsIn({ keywords: ['hook'] }),
        authorId: 3,
        viewCount: 5,
        metadata: { by: 'hook' },
      });
    });

    it('may return {}, so that nothing is written and no later hook runs', async () => {
      const before = await post(1);
      expect((await rpc('post/update', { where: { id: 1 }, data: { title: 'nothing to do' }, select: { id: true } })).status).toBe(200);
      expect(await post(1)).toEqual(before);
      expect(await writes()).toEqual([]);
    });

    it.each([
      ['refused', 409, 'Not this title.'],
      ['after', 409, 'Too late.'],
      ['api error', 403, 'Not you.'],
      ['broken', 500, ''],
      ['hidden fault', 500, ''],
      ['unknown', 500, ''],
      ['mistyped', 500, ''],
      ['text', 500, ''],
    ])(
      'roll back the whole request if they throw or return invalid data, with the status of the error: %s',
      async (title, status, message) => {
        const comments = { create: { body: 'kept?' } };
        const answer = await rpc('user/update', { where: { id: 1 }, data: { name: 'kept?', posts: { create: { title, comments } } } });
        expect(answer.status).toBe(status);
        if (message) expect(answer.error.message).toContain(message);
        const { prisma } = database;
        expect([await prisma.user.count({ where: { name: 'kept?' } }), await prisma.comment.count({ where: { body: 'kept?' } })]).toEqual([
          0, 0,
        ]);
        expect(await writes()).toEqual([]);
        expect(events.filter((line) => line.startsWith('commit'))).toEqual([]);
        const document = { data: { type: 'post', attributes: { title, authorId: 1 } } };
        expect((await app.rest.post('/post', document)).status).toBe(status);
      },
    );

    it('roll the request back after a failed statement of theirs, even if they catch its error', async () => {
      const category = { name: 'x', slug: 'same' };
      await database.prisma.category.create({ data: category });
      expect((await rpc('post/create', { data: { title: 'twice', authorId: 1 } })).status).toBe(500);
      expect(await database.prisma.post.count({ where: { title: 'twice' } })).toBe(0);
      expect(events).not.toContain('commit create Post');
    });

    it.each([1, 2, 5])('roll back all of five nested records if they reject number %i', async (nth) => {
      const create = [1, 2, 3, 4, 5].map((n) => ({ body: n === nth ? 'bad' : 'good' }));
      const before = await database.prisma.comment.count();
      const { status } = await rpc('post/create', { data: { title: 'Nested', authorId: 1, comments: { create } } });
      expect(status).toBe(409);
      expect((await rpc('comment/createMany', { data: create.map((one) => ({ ...one, postId: 1 })) })).status).toBe(409);
      expect(await database.prisma.comment.count()).toBe(before);
      expect(await database.prisma.post.count({ where: { title: 'Nested' } })).toBe(0);
      expect(await writes()).toEqual([]);
    });

    it('run @AfterCommit once for a committed batch, and never for one that is rolled back', async () => {
      const create = (title: string): { model: string; op: string; args: object } => ({
        model: 'post',
        op: 'create',
        args: { data: { title, authorId: 1 } },
      });
      expect((await app.rpc.sequential([create('1'), create('2')])).status).toBe(200);
      expect(events.filter((line) => line.startsWith('commit'))).toEqual(['commit create Post']);
      expect(events.at(-1)).toBe('commit create Post');
      expect(received.get('commit create Post')).toMatchObject({ rows: [{ title: '1' }, { title: '2' }] });
      events.length = 0;
      expect((await app.rpc.sequential([create('1'), create('refused')])).status).toBe(409);
      expect(events.filter((line) => line.startsWith('commit'))).toEqual([]);
      expect(await writes()).toEqual(['create Post', 'create Post']);
    });

    it('receive writes of actions, and run @AfterCommit only for an action that commits', async () => {
      expect((await app.rpc.call('post/rename', { where: { id: 1 } }, { method: 'POST' })).status).toBe(200);
      expect(events).toEqual(['before update Post', 'after update Post', 'commit update Post']);
      events.length = 0;
      expect((await app.rpc.call('post/fail', { where: { id: 1 } }, { method: 'POST' })).status).toBe(409);
      expect(events).toEqual(['before update Post', 'after update Post']);
    });

    it('receive writes of ResourceClients.ruled, and run @AfterCommit after its transactions commit', async () => {
      const db = await app.nest
        .get(ResourceClients)
        .ruled<PrismaClient>({ method: 'POST', url: '/own', headers: {}, callerId: 1 } as CallerRequest);
      await db.post.update({ where: { id: 1 }, data: { title: 'own' } });
      await db.$transaction(async (open) => {
        await open.post.update({ where: { id: 1 }, data: { title: 'own 2' } });
        expect(events.filter((line) => line.startsWith('commit'))).toHaveLength(1);
      });
      const undone = db.$transaction([
        db.post.update({ where: { id: 1 }, data: { title: 'own 3' } }),
        db.post.update({ where: { id: 1 }, data: { title: 'refused' } }),
      ]);
      await expect(undone).rejects.toThrow('Not this title.');
      expect(events.filter((line) => line.startsWith('commit'))).toHaveLength(2);
      expect(await writes()).toEqual(['update Post', 'update Post']);
    });
  });
});
