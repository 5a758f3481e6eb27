import type { INestApplication, Type } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { existsSync } from 'node:fs';
import type { Server } from 'node:net';
import supertest from 'supertest';
import { describeWhere } from '../../support/describe-where.js';
import { RestClient } from '../../support/rest-client.js';
import { RpcClient } from '../../support/rpc-client.js';

const SAMPLE = new URL('../../../sample/zenstack/', import.meta.url);

/** The sample is a separate package: `npm ci --prefix sample/zenstack` installs ZenStack. */
const IS_INSTALLED = existsSync(new URL('node_modules/@zenstackhq/orm', SAMPLE));

const DRAFT = 3;

describeWhere(IS_INSTALLED, 'npm ci --prefix sample/zenstack', 'ZenStack as the data client, with its policies (sample/zenstack)', () => {
  let nest: INestApplication;
  let owner: { readonly post: { findMany: (args: object) => Promise<unknown> }; readonly note: { count: () => Promise<number> } };

  beforeAll(async () => {
    const { AppModule } = (await import(new URL('src/app.module.ts', SAMPLE).pathname)) as { readonly AppModule: Type };
    ({ owner } = await import(new URL('src/database.ts', SAMPLE).pathname));
    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    nest = module.createNestApplication(new ExpressAdapter(), { logger: false });
    await nest.init();
  }, 60_000);
  afterAll(() => nest.close());

  function as(callerId?: number): { readonly rest: RestClient; readonly rpc: RpcClient } {
    const agent = supertest.agent(nest.getHttpServer() as Server);
    if (callerId !== undefined) agent.set('X-User-Id', String(callerId));
    return {
      rest: new RestClient({ agent, prefix: '/api/rest', strict: false, endpoint: 'http://localhost:3000/api/rest' }),
      rpc: new RpcClient({ agent, prefix: '/api/rpc' }),
    };
  }

  const VISIBLE = [
    ['nobody', undefined, [1, 2]],
    ['the author', 2, [1, 2, 3]],
    ['another author', 3, [1, 2]],
    ['an admin', 1, [1, 2, 3]],
  ] as const;

  it.each(VISIBLE)('returns the same visible posts to %s in lists, related URLs, includes, filters and RPC', async (_, callerId, ids) => {
    const { rest, rpc } = as(callerId);
    const list = await rest.get('/post?sort=id&include=comments,tags');
    expect([list.ids, list.document.meta?.['total']]).toEqual([ids, ids.length]);
    expect(list.included.filter(({ type }) => type === 'comment').map(({ id }) => id)).toEqual(ids);
    expect((await rest.get('/user/2/posts?sort=id')).ids).toEqual(ids);
    expect((await rest.get('/user/2/relationships/posts?sort=id')).ids).toEqual(ids);
    expect((await rest.get('/tag/1?include=posts')).included.map(({ id }) => Number(id)).sort()).toEqual(ids);
    expect((await rest.get('/comment?filter[post][published]=false')).ids).toEqual(ids.filter((id) => id === DRAFT));
    expect((await rest.get(`/post/${DRAFT}`)).status).toBe(ids.length === 3 ? 200 : 404);

    const rows = ids.map((id) => ({ id }));
    expect((await rpc.call('post/findMany', { orderBy: { id: 'asc' }, select: { id: true } })).data).toEqual(rows);
    expect((await rpc.call('post/count')).data).toBe(ids.length);
    expect((await rpc.call('post/aggregate', { _count: true })).data).toEqual({ _count: ids.length });
    const nested = {
      where: { id: 2 },
      select: { posts: { orderBy: { id: 'asc' }, select: { id: true } }, _count: { select: { posts: true } } },
    };
    expect((await rpc.call('user/findUnique', nested)).data).toEqual({ posts: rows, _count: { posts: ids.length } });
  });

  it('reads and writes values of every type', async () => {
    const { rest, rpc } = as(2);
    const { data } = await rpc.call('post/findUnique', { where: { id: 1 } });
    expect(data).toMatchObject({ viewCount: 9_007_199_254_740_993n, keywords: ['zenstack'], metadata: { index: 0 } });
    expect(data).toMatchObject({ createdAt: new Date('2026-01-01'), cover: Uint8Array.of(1, 2, 0) });
    expect(String((data as { readonly rating: unknown }).rating)).toBe('4.25');

    const attributes = { title: 'New', slug: 'new', viewCount: '5', rating: '3.5', keywords: ['a', 'b'], metadata: [1], cover: 'AQI=' };
    const author = { data: { type: 'user', id: 2 } };
    const created = await rest.post('/post', { data: { type: 'post', attributes, relationships: { author } } });
    expect([created.status, created.one.attributes]).toMatchObject([201, { ...attributes, rating: '3.5' }]);
    expect((await rest.delete(`/post/${created.one.id}`)).status).toBe(204);
  });

  it('neither returns a field that @meta hides, nor selects or filters by it', async () => {
    const { rest, rpc } = as(1);
    expect((await rest.get('/user/2')).one.attributes).not.toHaveProperty('passwordHash');
    expect((await rpc.call('user/findUnique', { where: { id: 2 }, select: { passwordHash: true } })).status).toBe(400);
    expect((await rpc.call('user/findMany', { where: { passwordHash: { contains: 'a' } } })).status).toBe(400);
  });

  it('rejects writes to rows of other users in both styles, and writes nothing', async () => {
    const { rest, rpc } = as(3);
    const posts = () => owner.post.findMany({ orderBy: { id: 'asc' } });
    const before = await posts();
    const author = { data: { type: 'user', id: 2 } };
    const restAnswer = await rest.post('/post', {
      data: { type: 'post', attributes: { title: 'x', slug: 'x' }, relationships: { author } },
    });
    expect([restAnswer.status, restAnswer.errors[0]?.code]).toEqual([403, 'forbidden']);
    const rpcAnswer = await rpc.call('post/create', { data: { title: 'x', slug: 'x', authorId: 2 } });
    expect([rpcAnswer.status, rpcAnswer.error.orm, rpcAnswer.error.rejectedByPolicy]).toEqual([403, true, true]);
    // ZenStack, too, treats a row that the caller may not change as missing.
    expect((await rest.patch('/post/1', { data: { type: 'post', id: 1, attributes: { title: 'x' } } })).status).toBe(404);
    expect((await rpc.call(`post/update`, { where: { id: DRAFT }, data: { title: 'x' } })).status).toBe(404);
    expect((await rest.delete('/post/1')).status).toBe(404);
    const both = await rpc.sequential([
      { model: 'comment', op: 'create', args: { data: { body: 'x', postId: 1, authorId: 3 } } },
      { model: 'post', op: 'create', args: { data: { title: 'x', slug: 'x', authorId: 2 } } },
    ]);
    expect([both.status, both.error.rejectedByPolicy]).toEqual([403, true]);
    expect((await as(1).rpc.call('comment/count', { where: { body: 'x' } })).data).toBe(0);
    expect(await posts()).toEqual(before);
  });

  it('answers a write whose row the caller may not read with 403 and RESULT_NOT_READABLE', async () => {
    const { rest, rpc } = as(4);
    const answer = await rpc.call('note/create', { data: { locale: 'en', number: 1, text: 'x' } });
    expect([answer.status, answer.error]).toMatchObject([403, { orm: true, rejectedByPolicy: true, reason: 'RESULT_NOT_READABLE' }]);
    const note = { data: { type: 'note', id: 'en_2', attributes: { text: 'x' } } };
    const created = await rest.post('/note', note);
    expect([created.status, created.errors[0]]).toMatchObject([403, { code: 'forbidden', meta: { reason: 'RESULT_NOT_READABLE' } }]);
    expect(await owner.note.count()).toBe(2);
  });

  it('answers a batch with that reason only if all of the batch was written', async () => {
    const { rpc } = as(4);
    const before = await owner.note.count();
    const write = (number: number): Parameters<RpcClient['sequential']>[0][number] => ({
      model: 'note',
      op: 'create',
      args: { data: { locale: 'fr', number, text: 'x' } },
    });
    const count = { model: 'tag', op: 'count', args: {} };
    const undone = await rpc.sequential([write(1), count]);
    expect([undone.status, undone.error]).toMatchObject([403, { rejectedByPolicy: true }]);
    expect(undone.error).not.toHaveProperty('reason');
    expect(await owner.note.count()).toBe(before);
    expect((await rpc.sequential([count, write(1)])).error).toMatchObject({ reason: 'RESULT_NOT_READABLE' });
    expect(await owner.note.count()).toBe(before + 1);
  });

  it('answers a unique conflict of ZenStack with 409, and a missing row with 404, as with Prisma', async () => {
    const { rest, rpc } = as(2);
    const attributes = { title: 'x', slug: 'hello' };
    const author = { data: { type: 'user', id: 2 } };
    expect((await rest.post('/post', { data: { type: 'post', attributes, relationships: { author } } })).status).toBe(409);
    expect((await rpc.call('post/findUniqueOrThrow', { where: { id: 900 } })).status).toBe(404);
    expect((await rest.get('/post/900')).status).toBe(404);
  });
});
