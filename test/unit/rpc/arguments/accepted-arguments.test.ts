import { describe, expect, it } from '@jest/globals';
import { ANY_NULL, DB_NULL, JSON_NULL } from '../../../../lib/model/values/json-value.js';
import { requireOperation } from '../../../../lib/rpc/parse-rpc-call.js';
import { plain, planned, refusal } from '../publisher.js';

describe('a Json field', () => {
  it('accepts any JSON value, also one with the form of an operation', () => {
    for (const metadata of [
      0,
      '',
      false,
      [],
      {},
      { set: 1 },
      { constructor: 1, meta: { serialization: 1 } },
      { $type: 'Raw' },
      { _ref: 'a', _container: 'User' },
    ]) {
      expect(planned('post.update', { where: { id: 1 }, data: { metadata } })).toMatchObject({ where: { id: 1n }, data: { metadata } });
      expect(planned('post.findFirst', { where: { metadata: { equals: metadata } } })).toMatchObject({
        where: { metadata: { equals: metadata } },
      });
    }
  });

  it('stores null as the NULL of a nullable column, and as the JSON null of a required one', () => {
    expect(planned('post.create', { data: { metadata: null, summary: null } })).toMatchObject({
      data: { metadata: DB_NULL, summary: JSON_NULL },
    });
    expect(planned('post.update', { where: { id: 1 }, data: { metadata: null } })).toMatchObject({ data: { metadata: DB_NULL } });
  });

  it('finds by null both nulls, and below a path the JSON null', () => {
    expect(planned('post.findFirst', { where: { metadata: { equals: null } } })).toMatchObject({
      where: { metadata: { equals: ANY_NULL } },
    });
    expect(planned('post.findFirst', { where: { metadata: { not: null } } })).toMatchObject({ where: { metadata: { not: ANY_NULL } } });
    const where = { metadata: { path: ['a', 'b'], equals: null } };
    expect(planned('post.findFirst', { where })).toMatchObject({ where });
  });

  it.each([
    ['post.findMany', { where: { metadata: { equals: raw() } } }, 'where.metadata.equals'],
    ['post.findMany', { where: { metadata: { array_contains: [raw()] } } }, 'where.metadata.array_contains'],
    ['post.create', { data: { metadata: { a: [raw()] } } }, 'data.metadata'],
    ['post.update', { where: { id: 1 }, data: { summary: raw() } }, 'data.summary'],
  ])('of %s %j cannot have a reference to another column', (call, args, path) => {
    expect(refusal(call, args)).toBe(
      `400 ${path} must be a JSON value of at most 100 levels, without NUL characters, lone surrogates and the key '__prismaRawParameters__'.`,
    );
  });

  function raw(): object {
    return { __prismaRawParameters__: true, values: { $type: 'FieldRef', value: { _ref: 'passwordHash', _container: 'User' } } };
  }
});

describe('the arguments of every kind', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    [
      'post.findFirst',
      { where: { AND: [{ title: 'a' }], OR: [{ author: { name: 'b' } }], NOT: { tags: { none: { name: 'c' } } } } },
      { where: { title: 'a', author: { name: 'b' }, NOT: { tags: { none: { name: 'c' } } } } },
    ],
    ['post.findFirst', { where: { reviewer: null } }],
    ['post.findFirst', { where: { reviewer: { isNot: null } } }],
    ['post.findFirst', { where: { title: { contains: 'A', mode: 'insensitive', not: { startsWith: 'B' } } } }],
    ['post.findFirst', { where: { reviewerId: { in: null } } }],
    ['post.findFirst', { where: { keywords: { hasEvery: ['a', 'b'] } } }],
    ['post.findFirst', { where: { metadata: { path: ['a'], string_contains: 'x', mode: 'insensitive' } } }],
    [
      'post.findFirst',
      { orderBy: [{ author: { name: 'desc' } }, { tags: { _count: 'asc' } }, { reviewerId: { sort: 'asc', nulls: 'first' } }, {}] },
      { orderBy: [{ author: { name: 'desc' } }, { tags: { _count: 'asc' } }, { reviewerId: { sort: 'asc', nulls: 'first' } }] },
    ],
    ['post.findFirst', { orderBy: [{ _relevance: { fields: ['title'], search: 'a & b', sort: 'desc' } }] }],
    ['post.findFirst', { cursor: { title_authorId: { title: 'a', authorId: 1 } }, skip: 1, take: -1 }],
    [
      'post.findUnique',
      { where: { title_authorId: { title: 'a', authorId: 1 }, title: { contains: 'a' } }, relationLoadStrategy: 'query' },
    ],
    [
      'post.findFirst',
      {
        select: {
          tags: {
            where: { name: 'a' },
            orderBy: [{ name: 'asc' }, { id: 'asc' }],
            take: 2,
            skip: 1,
            cursor: { id: 1 },
            distinct: ['name'],
            select: { id: true },
          },
        },
      },
    ],
    ['post.findFirst', { select: { id: true, _count: { select: { comments: { where: { body: 'a' } }, tags: true } } } }],
    ['post.count', { select: { _all: true, reviewerId: true }, where: { viewCount: { gt: 1 } } }],
    ['post.count', { select: true }, {}],
    [
      'post.aggregate',
      { _count: true, _avg: { viewCount: true, rating: true }, _min: { createdAt: true }, orderBy: [{ id: 'asc' }], take: 5 },
    ],
    ['post.updateMany', { where: {}, data: { viewCount: { multiply: 2 }, keywords: { push: ['a'] } }, limit: 3 }],
    [
      'user.create',
      { data: { email: 'a', name: 'b', posts: { createMany: { data: [{ title: 'x' }], skipDuplicates: true } } }, select: { id: true } },
    ],
    [
      'tag.upsert',
      { where: { name: 'a' }, create: { id: 1, name: 'a' }, update: { name: { set: 'b' } } },
      { where: { name: 'a' }, create: { id: 1, name: 'a' }, update: { name: 'b' } },
    ],
    [
      'post.update',
      { where: { id: 1n }, data: { tags: { set: [], connectOrCreate: [{ where: { id: 1 }, create: { id: 1, name: 'a' } }] } } },
    ],
    [
      'post.update',
      { where: { id: 1n }, data: { author: { update: { where: { name: 'a' }, data: { name: 'b' } } }, reviewer: { disconnect: true } } },
    ],
    [
      'post.update',
      {
        where: { id: 1n },
        data: { author: { upsert: { create: { email: 'a', name: 'b' }, update: { name: 'b' } } }, reviewer: { delete: { name: 'a' } } },
      },
    ],
  ])('of %s %j reach the data client, some in a shorter form', (call, args, printed = args) => {
    const { select, ...others } = planned(call, args);
    expect(others).toEqual(withoutSelect(printed));
    expect(select).toEqual(selects(call) ? (printed['select'] ?? plain(modelOf(call))) : printed['select']);
  });

  const modelOf = (call: string): string => call.slice(0, call.indexOf('.'));

  const selects = (call: string): boolean => requireOperation(call.slice(call.indexOf('.') + 1)).arguments.some((key) => key === 'omit');

  const withoutSelect = ({ select: _, ...others }: Record<string, unknown>): Record<string, unknown> => others;
});
