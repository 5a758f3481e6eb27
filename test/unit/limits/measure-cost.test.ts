import { describe, expect, it } from '@jest/globals';
import { type CallCost, findExcess } from '../../../lib/limits/cost.js';
import { searchTerms } from '../../../lib/limits/measure-selection.js';
import { measureCost } from '../../../lib/limits/measure-cost.js';
import { buildResourceModel } from '../../../lib/model/build-resource-model.js';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import type { Limits } from '../../../lib/model/limits.js';
import { startBudget } from '../../../lib/rpc/arguments/argument-path.js';
import { findResource, requireOperation } from '../../../lib/rpc/parse-rpc-call.js';
import { planDataCall } from '../../../lib/rpc/plan-rpc-call.js';
import { resourceSchema as namesSchema } from '../../support/generated/names/resource-schema.js';
import { sumCosts } from '../../support/sum-costs.js';
import { publisher, resource } from '../rpc/publisher.js';

const UNLIMITED: Limits = Object.assign({}, DEFAULT_LIMITS, ...Object.keys(DEFAULT_LIMITS).map((name) => ({ [name]: Infinity }))) as Limits;

const { model: names } = buildResourceModel(namesSchema, { resources: {} });

/** What `findMany`, or another operation, costs with these arguments. */
function measure(args: Record<string, unknown>, name = 'post', operation = operationOf(args)): CallCost {
  const call = { resource: resource(name), operation: requireOperation(operation), args };
  return measureCost(planDataCall(call, startBudget(UNLIMITED, publisher.storage)).query);
}

/** The operation that takes such arguments. */
function operationOf(args: Record<string, unknown>): string {
  if ('create' in args) return 'upsert';
  if ('data' in args) return Array.isArray(args['data']) ? 'createMany' : 'where' in args ? 'update' : 'create';
  return 'by' in args ? 'groupBy' : 'findMany';
}

/** Terms and joins, as `terms/joins`. */
function costOf(args: Record<string, unknown>, name?: string, operation?: string): string {
  const { terms, joins } = sumCosts(measure(args, name, operation));
  return `${terms}/${joins}`;
}

describe('the cost of a filter', () => {
  it.each<[string, unknown, string]>([
    ['a condition', { title: 'a' }, '1/0'],
    ['several conditions', { title: { contains: 'a', mode: 'insensitive' }, viewCount: 1 }, '3/0'],
    ['no conditions', { OR: [{}, {}] }, '1/0'],
    ['elements of a list', { viewCount: { in: [1, 2, 3] } }, '3/0'],
    ['a negation of a filter', { title: { not: { startsWith: 'a' } } }, '2/0'],
    ['a Json value, which counts as one with any content', { metadata: { path: ['a', 'b'], equals: { a: [1, 2, 3] } } }, '3/0'],
    ['keys, where they are alternatives', { OR: [{ id: 1n }, { id: 2n }] }, '2/0'],
    ['a hop to one record', { author: { name: 'a' } }, '2/1'],
    ['the same hop with `is`', { author: { is: { name: 'a' } } }, '2/1'],
    ['a hop to none', { reviewer: null }, '2/1'],
    ['a hop to none with `is`', { reviewer: { is: null } }, '2/1'],
    ['a hop to a list', { comments: { some: { body: 'a' } } }, '2/2'],
    ['two of a list', { comments: { some: { body: 'a' }, none: { body: 'b' } } }, '4/4'],
    ['a hop below a list, four times as much', { comments: { some: { author: { name: 'a' } } } }, '3/6'],
    ['a chain of lists', { author: { posts: { some: { author: { posts: { some: { title: 'a' } } } } } } }, '5/15'],
    ['a search and its words', { title: { search: 'one | two & !three' } }, '23/0'],
    ['a search of 900 words', { title: { search: Array(900).fill('w').join(' & ') } }, '920/0'],
  ])('%s', (_, where, cost) => {
    expect(costOf({ where })).toBe(cost);
  });

  it('counts the conditions beside a unique key, and not the key', () => {
    const keys = [{ id: 1n }, { title_authorId: { title: 'a', authorId: 1 } }, { id: 1n, author: { name: 'a' } }];
    expect(keys.map((where) => costOf({ where }, 'post', 'findUnique'))).toEqual(['0/0', '0/0', '2/1']);
  });

  it('splits a search into words by the syntax of every database', () => {
    expect(searchTerms('+alpha -beta "gamma delta" <-> eps*')).toBe(25);
  });
});

describe('the cost of an order', () => {
  it.each<[string, unknown, string]>([
    ['a key', { title: 'asc' }, '1/0'],
    ['keys', [{ title: 'asc' }, { rating: { sort: 'desc', nulls: 'last' } }], '2/0'],
    ['a key of another record', { author: { name: 'asc' } }, '2/1'],
    ['a number of related rows', { comments: { _count: 'asc' } }, '2/2'],
    ['one behind another record', { author: { posts: { _count: 'asc' } } }, '3/3'],
    ['a relevance by each named field', { _relevance: { fields: ['title', 'title'], search: 'a & b', sort: 'asc' } }, '45/0'],
  ])('%s', (_, orderBy, cost) => {
    expect(costOf({ orderBy })).toBe(cost);
  });
});

describe('the cost of a selection', () => {
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

describe('the cost of a cursor', () => {
  const id = { id: 1n };
  it.each<[string, Record<string, unknown>, string, string?]>([
    ['in the order of the key, which is there without a word', { cursor: id }, '1/0'],
    ['in the order of a key', { cursor: id, orderBy: { id: 'desc' } }, '2/0'],
    ['in an order that has a key at its end', { cursor: id, orderBy: [{ title: 'asc' }, { id: 'asc' }] }, '3/0'],
    ['in an order that has a key of several fields', { cursor: id, orderBy: [{ authorId: 'asc' }, { title: 'asc' }] }, '4/0'],
    [
      'in an order of the record that each refers to, and a key',
      { cursor: id, orderBy: [{ author: { name: 'asc' } }, { id: 'asc' }] },
      '4/1',
    ],
    ['in an order of numbers of related rows, and a key', { cursor: id, orderBy: [{ comments: { _count: 'asc' } }, { id: 'asc' }] }, '4/2'],
    ['in an order that leaves ties, which the id breaks', { cursor: id, orderBy: { title: 'asc' } }, '3/0'],
    ['in an order by the key of another record', { cursor: id, orderBy: { author: { id: 'asc' } } }, '4/1'],
    ['in an order that has part of a key', { cursor: id, orderBy: { authorId: 'asc' } }, '3/0'],
    ['in an order of what may be null', { cursor: id, orderBy: [{ rating: 'asc' }, { id: 'asc' }] }, '62/0'],
    ['in an order of a record that may not be there', { cursor: id, orderBy: [{ reviewer: { name: 'asc' } }, { id: 'asc' }] }, '63/1'],
    ['of a list of one record, whose rows are limited', { include: { comments: { cursor: { id: 1 }, orderBy: { body: 'asc' } } } }, '2/1'],
  ])('%s', (_, args, cost, name = 'post') => {
    expect(costOf(args, name)).toBe(cost);
  });

  it('is the same for the first row, for many and for an aggregate', () => {
    const args = { cursor: id, orderBy: { rating: 'asc' } };
    expect(costOf(args, 'post', 'findMany')).toBe('62/0');
    expect(costOf(args, 'post', 'findFirst')).toBe('62/0');
    expect(costOf({ ...args, _count: true }, 'post', 'aggregate')).toBe('62/0');
  });

  it('exceeds the limit where several calls have a cursor over a column that is no key', () => {
    const cost = measure({ cursor: id, orderBy: { rating: 'asc' } });
    expect(findExcess([cost], DEFAULT_LIMITS)).toBeUndefined();
    expect(findExcess([cost, cost], DEFAULT_LIMITS)).toMatchObject({ limit: 'maxFilterTerms', argument: 'cursor' });
  });
});

describe('the cost of written data', () => {
  const values = (args: Record<string, unknown>): number => sumCosts(measure(args)).values;

  it('counts elements of lists and nodes of Json values, in every record', () => {
    expect(values({ data: { title: 'a', keywords: ['a', 'b'] } })).toBe(2);
    expect(values({ data: { metadata: { a: [1, 2, { b: null }] } } })).toBe(5);
    expect(values({ data: [{ keywords: ['a'] }, { keywords: { set: ['a', 'b'] } }] })).toBe(3);
    expect(values({ where: { id: 1 }, create: { keywords: ['a'] }, update: { keywords: { push: ['b'] } } })).toBe(2);
    const nested = {
      create: { keywords: ['a'] },
      update: { where: { id: 1 }, data: { keywords: ['a'] } },
      createMany: { data: [{ keywords: ['a'] }] },
    };
    expect(sumCosts(measure({ where: { id: 1 }, data: { posts: nested } }, 'user')).values).toBe(3);
  });

  it('counts the conditions of nested writes, and no key of a record', () => {
    expect(costOf({ where: { id: 1 }, data: { posts: { connect: [{ id: 1 }, { id: 2 }] } } }, 'user')).toBe('0/0');
    expect(costOf({ where: { id: 1 }, data: { posts: { deleteMany: { title: { in: ['a', 'b'] } } } } }, 'user')).toBe('2/0');
    expect(costOf({ where: { id: 1 }, data: { posts: { update: { where: { id: 1, author: { name: 'a' } }, data: {} } } } }, 'user')).toBe(
      '2/1',
    );
    expect(costOf({ where: { id: 1 }, data: { posts: { updateMany: { where: { id: 1 }, data: {} } } } }, 'user')).toBe('1/0');
  });
});

/** Relations may have the names of arguments. A filter beside `data` is measured, and so is a filter below a relation called `data`. */
describe('the cost of writes through relations that have the names of arguments', () => {
  const hops = { name: 'x', data: { name: 'x', notes: { some: { owner: { is: { badge: null } } } } } };

  it.each<[string, object, string]>([
    ['the filter of a to-one update', { update: { where: hops, data: { name: 'x' } } }, '7/11'],
    ['the same, first of all', { update: { data: { name: 'x' }, where: hops } }, '7/11'],
    ['the same, with an empty object', { update: { where: hops, data: {} } }, '7/11'],
    ['one below a relation called data', { update: { data: { data: { update: { where: { notes: { some: {} } }, data: {} } } } } }, '2/2'],
    ['one below it without the word', { update: { data: { update: { where: { notes: { some: {} } }, data: {} } } } }, '2/2'],
    ['one below a relation called where', { update: { where: { update: { where: { notes: { some: {} } }, data: {} } } } }, '2/2'],
    ['the filter of an upsert', { upsert: { where: hops, create: { name: 'x' }, update: {} } }, '7/11'],
    ['the filter of a delete', { delete: hops }, '7/11'],
    ['the filter of a disconnect', { disconnect: hops }, '7/11'],
  ])('%s', (_, written, cost) => {
    const call = { resource: findResource(names, 'sensor'), operation: requireOperation('update') };
    const args = { where: { id: 1 }, data: { tool: written } };
    const { terms, joins } = sumCosts(measureCost(planDataCall({ ...call, args }, startBudget(UNLIMITED, names.storage)).query));
    expect(`${terms}/${joins}`).toBe(cost);
  });
});

describe('the depth of arguments', () => {
  const depth = (args: Record<string, unknown>): number => sumCosts(measure(args)).depth;

  it.each<[Record<string, unknown>, number]>([
    [{ where: { author: { name: 'a' } } }, 2],
    [{ where: { author: { is: { name: { contains: 'a' } } } } }, 3],
    // An `AND` adds no level to its members.
    [{ where: { AND: [{ NOT: { title: 'a' } }] } }, 2],
    [{ where: { OR: [{ NOT: { title: 'a' } }, { title: 'b' }] } }, 3],
    [{ orderBy: { author: { posts: { _count: 'asc' } } } }, 3],
    [{ include: { author: { include: { posts: { where: { title: 'a' } } } } } }, 1],
    [{ where: { id: 1 }, data: { tags: { connectOrCreate: { where: { id: 1 }, create: {} } } } }, 4],
  ])('%j', (args, levels) => {
    expect(depth(args)).toBe(levels);
  });
});

describe('findExcess', () => {
  it('names the limit, its value, and the cost of each argument, the largest first', () => {
    const args = {
      where: { OR: Array.from({ length: 14 }, () => ({ comments: { none: {} } })) },
      orderBy: { author: { posts: { _count: 'asc' } } },
    };
    const cost = measure(args);
    expect(findExcess([cost], DEFAULT_LIMITS)).toEqual({
      limit: 'maxJoins',
      argument: 'where',
      detail: 'The request needs 31 joins (where 28, orderBy 3); limits.maxJoins allows 30.',
    });
    expect(findExcess([cost], { ...DEFAULT_LIMITS, maxJoins: 31 })).toBeUndefined();
  });

  it('adds up the calls of a batch, but not their depth', () => {
    const cost = measure({ where: { AND: [{ title: { in: ['a', 'b'] } }] } });
    const limits = { ...DEFAULT_LIMITS, maxFilterTerms: 5, maxDepth: 3 };
    expect(findExcess([cost, cost], limits)).toBeUndefined();
    expect(findExcess([cost, cost, cost], limits)?.detail).toBe(
      'The request needs 6 filter and sort terms (where 6); limits.maxFilterTerms allows 5.',
    );
  });
});
