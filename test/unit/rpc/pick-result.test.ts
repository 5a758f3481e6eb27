import { describe, expect, it } from '@jest/globals';
import { pickResult } from '../../../lib/rpc/pick-result.js';
import { queryOf } from './publisher.js';

function picked(call: string, args: Record<string, unknown>, result: unknown): unknown {
  return pickResult(queryOf(call, args), result);
}

const USER = { id: 1, name: 'Ann', passwordHash: 'secret', fullName: 'Ann B.', extra: { a: 1 } };

describe('the result of an RPC call', () => {
  it.each<[call: string, args: Record<string, unknown>, result: unknown, expected: unknown]>([
    ['user.findMany', {}, [USER, { id: 2 }], [{ id: 1, name: 'Ann' }, { id: 2 }]],
    ['user.findUnique', { where: { id: 1 } }, null, null],
    ['user.findFirst', { select: { name: true, email: false } }, { ...USER, email: 'a' }, { name: 'Ann' }],
    ['user.create', { data: {}, omit: { name: true } }, USER, { id: 1 }],
    ['user.createManyAndReturn', { data: [] }, [USER], [{ id: 1, name: 'Ann' }]],
    ['user.updateManyAndReturn', { where: {}, data: {} }, [USER], [{ id: 1, name: 'Ann' }]],
    ['user.updateMany', { where: {}, data: {} }, { count: 1, rows: [USER] }, { count: 1 }],
    ['post.findFirst', { include: { author: true } }, { id: 1n, author: USER }, { id: 1n, author: { id: 1, name: 'Ann' } }],
    ['post.findFirst', { select: { reviewer: true } }, { reviewer: null, secret: 1 }, { reviewer: null }],
    [
      'user.findFirst',
      { select: { posts: { select: { author: true } } } },
      { posts: [{ author: USER, secret: 1 }] },
      { posts: [{ author: { id: 1, name: 'Ann' } }] },
    ],
    [
      'user.findFirst',
      { select: { _count: { select: { posts: true, reviews: { where: {} } } } } },
      { _count: { posts: 1, reviews: 2, tokens: 3 } },
      { _count: { posts: 1, reviews: 2 } },
    ],
    ['post.count', {}, 3, 3],
    ['post.count', { select: { _all: true } }, { _all: 3, secret: 1 }, { _all: 3 }],
    [
      'post.aggregate',
      { _count: true, _max: { id: true } },
      { _count: 3, _max: { id: 1n, secret: 2 }, _min: { secret: 1 } },
      { _count: 3, _max: { id: 1n } },
    ],
    [
      'post.groupBy',
      { by: ['title'], _count: { _all: true } },
      [{ title: 'a', secret: 1, _count: { _all: 1, secret: 1 } }],
      [{ title: 'a', _count: { _all: 1 } }],
    ],
    ['post.groupBy', { by: 'title' }, [{ title: 'a', authorId: 1 }], [{ title: 'a' }]],
  ])('of %s %j has of %j the selected members alone', (call, args, result, expected) => {
    expect(picked(call, args, result)).toEqual(expected);
  });

  it('is the same object where it has the selected members alone', () => {
    const rows = [{ id: 1n, metadata: { any: { thing: [1] } }, author: { id: 1, name: 'Ann' } }];
    expect(picked('post.findMany', { include: { author: true } }, rows)).toBe(rows);
  });
});
