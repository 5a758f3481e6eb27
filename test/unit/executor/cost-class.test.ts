import { describe, expect, it } from '@jest/globals';
import { isAlwaysQuick, isUsuallyQuick } from '../../../lib/executor/cost-class.js';
import { queryOf } from '../rpc/publisher.js';

const quick = (args: Record<string, unknown>, operation = 'findUnique'): boolean =>
  isAlwaysQuick({ kind: 'call', call: { query: queryOf(`post.${operation}`, args) } });

describe('isAlwaysQuick', () => {
  it.each([
    ['a key', { id: 1n }],
    ['a key of several fields', { title_authorId: { title: 'a', authorId: 1 } }],
    ['a key, and values of its row', { id: 1n, title: 'x', authorId: 5 }],
    ['a key, and a condition on values of its row', { id: 1n, AND: [{ OR: [{ title: 'y' }, { authorId: 5 }] }, { NOT: { title: 'x' } }] }],
  ])('is true for one row by %s', (_, where) => {
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
  ])('is false for one row by a key beside %s', (_, where) => {
    expect(quick({ where })).toBe(false);
  });

  it('is false for reads that filter, sort or count', () => {
    const where = { id: 1n };
    expect(quick({ where }, 'findMany')).toBe(false);
    expect(quick({ where }, 'count')).toBe(false);
    expect(quick({ where, select: { _count: true } })).toBe(false);
    expect(quick({ where, include: { tags: { where: { name: 'x' } } } })).toBe(false);
    expect(quick({ where, include: { tags: true } })).toBe(false);
  });
});

describe('isUsuallyQuick', () => {
  const first = (args: Record<string, unknown>, operation = 'findMany'): boolean =>
    isUsuallyQuick({ kind: 'call', call: { query: queryOf(`post.${operation}`, args) } });

  it.each([
    ['the primary key', { orderBy: { id: 'desc' }, take: 20 }],
    ['the primary key, from the end', { orderBy: { id: 'asc' }, take: -20 }],
    ['the primary key and more', { orderBy: [{ id: 'asc' }, { title: 'asc' }], take: 50 }],
    ['no order at all', { take: 1 }],
  ])('is true for the first rows by %s', (_, args) => {
    expect(first(args)).toBe(true);
    expect(first({ ...args, include: { author: true } })).toBe(true);
  });

  it.each([
    ['a condition', { orderBy: { id: 'asc' }, take: 20, where: { authorId: 1 } }],
    ['rows that are skipped', { orderBy: { id: 'asc' }, take: 20, skip: 1000 }],
    ['a cursor', { orderBy: { id: 'asc' }, take: 20, cursor: { id: 1n } }],
    ['distinct values', { orderBy: { id: 'asc' }, take: 20, distinct: ['title'] }],
    ['another order', { orderBy: { title: 'asc' }, take: 20 }],
    ['an order by related rows', { orderBy: { author: { id: 'asc' } }, take: 20 }],
    ['a list', { orderBy: { id: 'asc' }, take: 20, include: { tags: true } }],
    ['numbers of related rows', { orderBy: { id: 'asc' }, take: 20, include: { _count: true } }],
    ['many rows', { orderBy: { id: 'asc' }, take: 51 }],
  ])('is false for reads with %s', (_, args) => {
    expect(first(args)).toBe(false);
  });

  it('is true for findFirst, and false for count', () => {
    expect(first({ orderBy: { id: 'asc' } }, 'findFirst')).toBe(true);
    expect(first({}, 'count')).toBe(false);
  });
});
