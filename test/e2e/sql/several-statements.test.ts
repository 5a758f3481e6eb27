import { expect, it } from '@jest/globals';
import { expectIdle } from '../../support/expect-idle.js';
import type { TestApp } from '../../support/test-app.js';
import { onDatabases } from '../../support/databases/this-database.js';
import { sendOperations } from '../rest/operations-suite.js';
import { type Send, PUBLISHER, rpc, TwoWriters } from './two-writers.js';

const batch =
  (...calls: readonly (readonly [model: string, op: string, args: object])[]): Send =>
  (app) =>
    app.rpc.sequential(calls.map(([model, op, args]) => ({ model, op, args })));

const operations =
  (...given: readonly object[]): Send =>
  (app) =>
    sendOperations(app, { 'atomic:operations': given });

const linking =
  (...ids: readonly number[]): Send =>
  ({ rest }: TestApp) =>
    rest.post('/post/1/relationships/tags', { data: ids.map((id) => ({ type: 'tag', id })) });

const added = (name: string): object => ({ op: 'add', data: { type: 'tag', attributes: { name } } });

onDatabases('postgresql-server').describe('writes of several statements', () => {
  const writers = new TwoWriters({ ...PUBLISHER, app: { options: { rest: { operations: { maxOperations: 20 } } } } });

  it.each<[string, number, Send]>([
    [
      'a batch',
      2,
      batch(
        ['tag', 'create', { data: { name: 'a' } }],
        ['tag', 'create', { data: { name: 'b' } }],
        ['tag', 'delete', { where: { id: 5 } }],
      ),
    ],
    [
      'a batch that reads what it has written',
      2,
      batch(['post', 'update', { where: { id: 1 }, data: { title: 'x' } }], ['post', 'findUnique', { where: { id: 1 } }]),
    ],
    [
      'a batch with a write that may take long',
      3,
      batch(['tag', 'create', { data: { name: 'a' } }], ['post', 'updateMany', { where: {}, data: { title: 'x' } }]),
    ],
    ['a batch of twenty', 3, batch(...Array.from({ length: 20 }, (_, n) => ['tag', 'create', { data: { name: `new ${n}` } }] as const))],
    [
      'a batch of which one looks first',
      5,
      batch(
        ['tag', 'create', { data: { name: 'a' } }],
        ['tag', 'upsert', { where: { id: 1 }, create: { name: 'b' }, update: { name: 'c' } }],
        ['tag', 'create', { data: { name: 'd' } }],
      ),
    ],
    [
      'a change that is answered with related rows',
      2,
      rpc('post/update', { where: { id: 1 }, data: { title: 'x' }, include: { author: true, tags: true } }),
    ],
    [
      'a change of the key that is answered with related rows',
      3,
      rpc('post/update', { where: { id: 1 }, data: { id: 77 }, include: { author: true } }),
    ],
    [
      'a new row that is answered with related rows',
      3,
      rpc('post/create', { data: { title: 'x', authorId: 1 }, include: { author: true } }),
    ],
    ['a delete that is answered with related rows', 2, rpc('comment/delete', { where: { id: 1 }, include: { post: true } })],
    ['an endpoint of a relationship', 2, linking(2, 3)],
    ['atomic operations', 2, operations(added('a'), { op: 'remove', ref: { type: 'tag', id: '5' } }, added('b'))],
  ])('take few round trips, including the commit: %s takes %d', async (_, trips, send) => {
    const { status, isInSql } = await writers.compareWrites(send);
    expect([status < 300, isInSql]).toEqual([true, true]);
    // Each connection is queried once for its statement_timeout.
    expect(writers.started.trips.filter(([text = '']) => !text.includes('current_setting'))).toHaveLength(trips);
  });

  it.each<[string, number, Send]>([
    ['a batch, at the last', 400, batch(['tag', 'create', { data: { name: 'a' } }], ['tag', 'create', { data: { name: 'nest' } }])],
    ['a batch, at the first', 404, batch(['tag', 'delete', { where: { id: 99 } }], ['tag', 'create', { data: { name: 'a' } }])],
    ['atomic operations', 409, operations(added('a'), added('nest'), added('b'))],
    ['an endpoint of a relationship', 404, linking(2, 99)],
  ])('are rolled back as a whole: %s', async (_, status, send) => {
    await writers.failAlike(status, send);
  });

  it('return their connection to the pool if PostgreSQL rejects a statement of a batch', async () => {
    let removed = 0;
    const note = (): void => {
      removed++;
    };
    const { pool } = writers.started;
    pool.on('remove', note);
    for (let round = 0; round < 3; round++)
      await writers.failAlike(400, batch(['tag', 'create', { data: { name: 'a' } }], ['tag', 'create', { data: { name: 'nest' } }]));
    pool.off('remove', note);
    expect(removed).toBe(0);
  });

  it('read the row of an upsert that returns related rows first, so that no insert trigger runs for an existing row', async () => {
    const args = { where: { name: 'nest' }, create: { name: 'nest' }, update: { name: 'x' }, include: { posts: { select: { id: true } } } };
    await writers.withTrigger('BEFORE INSERT ON "Tag"', 'UPDATE "Category" SET name = name || 1 WHERE id = 1; RETURN NEW;', async () => {
      expect(await writers.compare(rpc('tag/upsert', args))).toEqual([200]);
    });
  });
});

onDatabases('postgresql-server').describe('writes of several statements under limits', () => {
  const writers = new TwoWriters({ ...PUBLISHER, app: { options: { limits: { maxDuration: 700, maxResponseSize: 1_500 } } } });

  it('start no statement after the deadline', async () => {
    const { prisma } = writers.started.database;
    await prisma.$executeRawUnsafe('CREATE SEQUENCE ticks');
    const calls = Array.from({ length: 10 }, () => ['comment', 'create', { data: { body: 'x', postId: 1 } }] as const);
    await writers.withTrigger('BEFORE INSERT ON "Comment"', `PERFORM pg_sleep(0.3), nextval(''ticks''); RETURN NEW;`, async () => {
      await writers.failAlike(503, batch(...calls));
      await expectIdle({ prisma }, 10_000);
    });
    const [row] = await prisma.$queryRaw<{ n: number }[]>`SELECT nextval('ticks')::int AS n`;
    await prisma.$executeRawUnsafe('DROP SEQUENCE ticks');
    // Three or four ticks of each of the three batches, and the one of this query.
    expect(row?.n).toBeLessThanOrEqual(4 * 4 + 1);
  });

  it('read rows of links beyond the size limit of a response', async () => {
    const { prisma } = writers.started.database;
    await prisma.$executeRawUnsafe(`INSERT INTO seed."Tag" SELECT n, 'a tag with a name ' || n FROM generate_series(1000, 1199) n`);
    try {
      const data = Array.from({ length: 200 }, (_, n) => ({ type: 'tag', id: n + 1000 }));
      const document = { data: { type: 'post', id: 1, relationships: { tags: { data } } } };
      expect(
        await writers.compare(({ rest }) => rest.patch('/post/1?fields[post]=title&include=reviewer&fields[user]=name', document)),
      ).toEqual([200, expect.stringContaining('bytes')]);
    } finally {
      await prisma.$executeRawUnsafe('DELETE FROM seed."Tag" WHERE id >= 1000');
    }
  });
});
