import { describe, expect, it } from '@jest/globals';
import { isQuick } from '../../../lib/data-client/is-quick.js';
import { queryOf } from '../rpc/publisher.js';

const quick = (args: Record<string, unknown>, operation = 'findUnique'): boolean =>
  isQuick({ kind: 'call', call: { query: queryOf(`post.${operation}`, args) } });

describe('isQuick', () => {
  it.each([
    ['a key', { id: 1n }],
    ['a key of several fields', { title_authorId: { title: 'a', authorId: 1 } }],
    ['a key, and values of its row', { id: 1n, title: 'x', authorId: 5 }],
    ['a key, and a condition on values of its row', { id: 1n, AND: [{ OR: [{ title: 'y' }, { authorId: 5 }] }, { NOT: { title: 'x' } }] }],
  ])('is that of one row by %s', (_, where) => {
    expect(quick({ where })).toBe(true);
    expect(quick({ where, include: { author: { select: { name: true } } } }, 'findUniqueOrThrow')).toBe(true);
  });

  it.each([
    ['a condition on other rows', { id: 1n, tags: { some: { name: 'x' } } }],
    ['one in a connective', { id: 1n, AND: [{ OR: [{ tags: { some: {} } }] }] }],
    ['one in a connective that is no list', { id: 1n, NOT: { author: { name: 'x' } } }],
    ['one beside a key of several fields', { title_authorId: { title: 'a', authorId: 1 }, tags: { some: {} } }],
    ['a list of values', { id: 1n, title: { in: ['x'] } }],
    ['a part of a text', { id: 1n, title: { contains: 'x' } }],
  ])('is not that by a key beside %s', (_, where) => {
    expect(quick({ where })).toBe(false);
  });

  it('is no read that filters, sorts or counts', () => {
    const where = { id: 1n };
    expect(quick({ where }, 'findMany')).toBe(false);
    expect(quick({ where }, 'count')).toBe(false);
    expect(quick({ where, select: { _count: true } })).toBe(false);
    expect(quick({ where, include: { tags: { where: { name: 'x' } } } })).toBe(false);
    expect(quick({ where, include: { tags: true } })).toBe(false);
  });
});
