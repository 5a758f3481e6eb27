import { expect, it } from '@jest/globals';
import type { TestApp } from '../../support/test-app.js';
import { describeOnServer } from '../policy/engines.js';
import { sendOperations } from '../rest/operations-suite.js';
import { type Ask, PUBLISHER, rpc, TwoWriters } from './two-writers.js';

const batch =
  (...calls: readonly (readonly [model: string, op: string, args: object])[]): Ask =>
  (app) =>
    app.rpc.sequential(calls.map(([model, op, args]) => ({ model, op, args })));

const operations =
  (...given: readonly object[]): Ask =>
  (app) =>
    sendOperations(app, { 'atomic:operations': given });

const linking =
  (...ids: readonly number[]): Ask =>
  ({ rest }: TestApp) =>
    rest.post('/post/1/relationships/tags', { data: ids.map((id) => ({ type: 'tag', id })) });

const added = (name: string): object => ({ op: 'add', data: { type: 'tag', attributes: { name } } });

describeOnServer('writes of several statements', () => {
  const writers = new TwoWriters({ ...PUBLISHER, app: { options: { rest: { operations: { maxOperations: 20 } } } } });

  it.each<[string, number, Ask]>([
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
  ])('take few round trips, the commit among them: %s takes %d', async (_, trips, ask) => {
    const { status, isInSql } = await writers.compareWrites(ask);
    expect([status < 300, isInSql]).toEqual([true, true]);
    // Each connection is asked once for its time limit.
    expect(writers.started.trips.filter(([text = '']) => !text.includes('current_setting'))).toHaveLength(trips);
  });

  it.each<[string, number, Ask]>([
    ['a batch, at the last', 400, batch(['tag', 'create', { data: { name: 'a' } }], ['tag', 'create', { data: { name: 'nest' } }])],
    ['a batch, at the first', 404, batch(['tag', 'delete', { where: { id: 99 } }], ['tag', 'create', { data: { name: 'a' } }])],
    ['atomic operations', 409, operations(added('a'), added('nest'), added('b'))],
    ['an endpoint of a relationship', 404, linking(2, 99)],
  ])('fail as a whole: %s', async (_, status, ask) => {
    await writers.failAlike(status, ask);
  });
});
