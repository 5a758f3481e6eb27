import { describe, expect, it } from '@jest/globals';
import { findExcess } from '../../../lib/cost/find-excess.js';
import { measureCost } from '../../../lib/cost/measure-cost.js';
import { sumCosts } from '../../../lib/cost/cost.js';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import { resource } from '../rpc/publisher.js';

const post = resource('post');

/** Terms and joins, as `terms/joins`. */
function costOf(args: Record<string, unknown>, name = 'post'): string {
  const { terms, joins } = sumCosts(Object.values(measureCost(resource(name), args)));
  return `${terms}/${joins}`;
}

describe('what a filter costs', () => {
  it.each<[string, unknown, string]>([
    ['a condition', { title: 'a' }, '1/0'],
    ['several conditions', { title: { contains: 'a', mode: 'insensitive' }, viewCount: 1 }, '3/0'],
    ['no conditions', { OR: [{}, {}] }, '2/0'],
    ['elements of a list', { viewCount: { in: [1, 2, 3] } }, '3/0'],
    ['a negation of a filter', { title: { not: { startsWith: 'a' } } }, '2/0'],
    ['a Json value, which is one whatever it holds', { metadata: { path: ['a', 'b'], equals: { a: [1, 2, 3] } } }, '3/0'],
    ['a key, where it names one record', { id: 1n }, '0/0'],
    ['keys, where they are alternatives', { OR: [{ id: 1n }, { id: 2n }] }, '2/0'],
    ['a compound key', { title_authorId: { title: 'a', authorId: 1 } }, '0/0'],
    ['a hop to one record', { author: { name: 'a' } }, '2/1'],
    ['the same hop, spelled out', { author: { is: { name: 'a' } } }, '2/1'],
    ['a hop to none', { reviewer: null }, '2/1'],
    ['a hop to none, spelled out', { reviewer: { is: null } }, '2/1'],
    ['a hop to a list', { comments: { some: { body: 'a' } } }, '2/2'],
    ['two of a list', { comments: { some: { body: 'a' }, none: { body: 'b' } } }, '4/4'],
    ['a hop below a list, four times as much', { comments: { some: { author: { name: 'a' } } } }, '3/6'],
    ['a chain of lists', { author: { posts: { some: { author: { posts: { some: { title: 'a' } } } } } } }, '5/15'],
    ['a search and its words', { title: { search: 'one | two & !three' } }, '23/0'],
    ['a search of 900 words', { title: { search: 'w '.repeat(900) } }, '920/0'],
  ])('%s', (_, where, cost) => {
    expect(costOf({ where })).toBe(cost);
  });

  it('counts words as every database parts them', () => {
    expect(costOf({ where: { title: { search: '+alpha -beta "gamma delta" <-> eps*' } } })).toBe('25/0');
  });
});

describe('what an order costs', () => {
  it.each<[string, unknown, string]>([
    ['a key', { title: 'asc' }, '1/0'],
    ['keys', [{ title: 'asc' }, { rating: { sort: 'desc', nulls: 'last' } }], '2/0'],
    ['a key of another record', { author: { name: 'asc' } }, '2/1'],
    ['a number of related rows', { comments: { _count: 'asc' } }, '2/2'],
    ['one behind another record', { author: { posts: { _count: 'asc' } } }, '3/3'],
    ['a relevance in two fields', { _relevance: { fields: ['title', 'ref'], search: 'a b', sort: 'asc' } }, '45/0'],
  ])('%s', (_, orderBy, cost) => {
    expect(costOf({ orderBy })).toBe(cost);
  });
});

describe('what a selection costs', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['plain fields', { select: { id: true, title: true } }, '0/0'],
    ['relations, at any depth', { include: { author: { select: { profile: true, posts: true } }, tags: true } }, '0/4'],
    ['relations that are not selected', { include: { author: false } }, '0/0'],
    ['the arguments of one', { include: { comments: { where: { author: { name: 'a' } }, orderBy: { body: 'asc' } } } }, '3/2'],
    ['counts', { select: { _count: { select: { comments: true, tags: { where: { name: 'a' } } } } } }, '1/4'],
    ['hops of the condition of a count', { select: { _count: { select: { comments: { where: { author: { name: 'a' } } } } } } }, '2/6'],
    ['names of fields', { distinct: ['title', 'ref'] }, '2/0'],
    ['groups', { by: 'title', having: { viewCount: { _avg: { gt: 5 } } } }, '3/0'],
  ])('%s', (_, args, cost) => {
    expect(costOf(args)).toBe(cost);
  });
});

describe('what written data costs', () => {
  const values = (args: Record<string, unknown>): number => sumCosts(Object.values(measureCost(post, args))).values;

  it('counts elements of lists and nodes of Json values, in every record', () => {
    expect(values({ data: { title: 'a', keywords: ['a', 'b'] } })).toBe(2);
    expect(values({ data: { metadata: { a: [1, 2, { b: null }] } } })).toBe(5);
    expect(values({ data: [{ keywords: ['a'] }, { keywords: { set: ['a', 'b'] } }] })).toBe(4);
    expect(values({ where: { id: 1 }, create: { keywords: ['a'] }, update: { keywords: { push: ['b'] } } })).toBe(3);
    const nested = {
      create: { keywords: ['a'] },
      update: { where: { id: 1 }, data: { keywords: ['a'] } },
      createMany: { data: [{ keywords: ['a'] }] },
    };
    expect(sumCosts(Object.values(measureCost(resource('user'), { data: { posts: nested } }))).values).toBe(3);
  });

  it('counts the conditions of nested writes, and no key of a record', () => {
    expect(costOf({ data: { posts: { connect: [{ id: 1 }, { id: 2 }] } } }, 'user')).toBe('0/0');
    expect(costOf({ data: { posts: { deleteMany: { title: { in: ['a', 'b'] } } } } }, 'user')).toBe('2/0');
    expect(costOf({ data: { posts: { update: { where: { id: 1, author: { name: 'a' } }, data: {} } } } }, 'user')).toBe('2/1');
    expect(costOf({ data: { posts: { updateMany: { where: { id: 1 }, data: {} } } } }, 'user')).toBe('1/0');
  });
});

describe('how deep arguments nest', () => {
  const depth = (args: Record<string, unknown>): number => sumCosts(Object.values(measureCost(post, args))).depth;

  it.each<[Record<string, unknown>, number]>([
    [{ where: { author: { name: 'a' } } }, 2],
    [{ where: { author: { is: { name: { contains: 'a' } } } } }, 4],
    [{ where: { AND: [{ NOT: { title: 'a' } }] } }, 3],
    [{ orderBy: { author: { posts: { _count: 'asc' } } } }, 3],
    [{ include: { author: { include: { posts: { where: { title: 'a' } } } } } }, 1],
    [{ data: { tags: { connectOrCreate: { where: { id: 1 }, create: {} } } } }, 4],
  ])('%j', (args, levels) => {
    expect(depth(args)).toBe(levels);
  });
});

describe('findExcess', () => {
  it('names the limit, its value, and what every argument takes, the largest share first', () => {
    const args = {
      where: { OR: Array.from({ length: 14 }, () => ({ comments: { none: {} } })) },
      orderBy: { author: { posts: { _count: 'asc' } } },
    };
    const cost = measureCost(post, args);
    expect(findExcess([cost], DEFAULT_LIMITS)).toEqual({
      limit: 'maxJoins',
      argument: 'where',
      detail: 'The request needs 31 joins (where 28, orderBy 3); limits.maxJoins allows 30.',
    });
    expect(findExcess([cost], { ...DEFAULT_LIMITS, maxJoins: 31 })).toBeUndefined();
  });

  it('adds the calls of a batch up, but not how deep they nest', () => {
    const cost = measureCost(post, { where: { AND: [{ title: { in: ['a', 'b'] } }] } });
    const limits = { ...DEFAULT_LIMITS, maxFilterTerms: 5, maxDepth: 3 };
    expect(findExcess([cost, cost], limits)).toBeUndefined();
    expect(findExcess([cost, cost, cost], limits)?.detail).toBe(
      'The request needs 6 filter and sort terms (where 6); limits.maxFilterTerms allows 5.',
    );
  });
});
