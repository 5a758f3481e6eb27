import { describe, expect, it, jest } from '@jest/globals';
import { plain, plan, planned, refusal } from '../publisher.js';

describe('limits.maxTake', () => {
  const sentence = 'post.findMany found more rows than limits.maxTake allows: 10. Ask for fewer with take.';
  const expect10 = { kind: 'at-most', rows: 10, problem: { code: 'limit-exceeded', detail: sentence } };

  it('selects one row more than allowed where there is no take, and expects at most the allowed number', () => {
    expect(plan('post.findMany', {}, { maxTake: 10 })).toEqual({
      delegate: 'post',
      operation: 'findMany',
      args: { take: 11, select: plain('post') },
      expect: expect10,
    });
  });

  it('does not limit distinct rows in the query, because Prisma selects them in memory', () => {
    const distinct = ['title'];
    expect(plan('post.findMany', { distinct }, { maxTake: 10 })).toMatchObject({ args: { distinct }, expect: expect10 });
    expect(plan('post.findMany', { include: { tags: { distinct: 'name' } } }, { maxTake: 10 }).args['select']).toMatchObject({
      tags: { distinct: ['name'], select: plain('tag') },
    });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['in the order of their fields', { by: ['title', 'id'] }, { orderBy: [{ title: 'asc' }, { id: 'asc' }], take: 11 }],
    ['in the order of their field', { by: 'title' }, { by: ['title'], orderBy: [{ title: 'asc' }], take: 11 }],
    [
      'in the order of the arguments',
      { by: ['title'], orderBy: { _count: { id: 'asc' } } },
      { orderBy: [{ _count: { id: 'asc' } }], take: 11 },
    ],
    ['in the order of their field where none is in the order', { by: ['title'], orderBy: [{}] }, { orderBy: [{ title: 'asc' }], take: 11 }],
  ])('selects one group more than allowed, %s', (_, args, added) => {
    expect(plan('post.groupBy', args, { maxTake: 10 })).toMatchObject({ args: { ...args, ...added }, expect: { rows: 10 } });
    expect(Object.keys(plan('post.groupBy', args, { maxTake: 10 }).args)).toEqual(Object.keys({ ...args, ...added }));
  });

  it.each([
    [{ by: ['title'], skip: 1 }, "orderBy is missing: 'skip' needs an order of the groups."],
    [{ by: 'title', take: 2, skip: 1, orderBy: [{}] }, "orderBy is missing: 'take' needs an order of the groups."],
  ])('refuses a part of the groups in no order: %j', (args, message) => {
    expect(() => plan('post.groupBy', args)).toThrow(message);
  });

  it('selects one related row more than allowed in each list, and expects the rows of all lists to be counted', () => {
    const include = { author: { select: { posts: true, profile: true } }, reviewer: true, tags: { include: { posts: { take: 2 } } } };
    const { args, expect: expectation } = plan('post.findFirst', { include }, { maxTake: 10 });
    expect(args['select']).toMatchObject({
      author: { select: { posts: { take: 11 }, profile: { select: plain('profile') } } },
      tags: { take: 11, select: { posts: { take: 2 } } },
    });
    expect(expectation).toMatchObject({ kind: 'at-most', rows: 10, isProbed: true });
  });

  it('limits no result without lists', () => {
    const include = { author: { include: { profile: true } }, tags: false };
    expect(plan('post.findFirst', { include })).not.toHaveProperty('expect');
    expect(plan('post.count', { select: { _all: true } })).not.toHaveProperty('expect');
  });

  it('does not change a take within the limit, or reads of one row', () => {
    const select = plain('post');
    expect(plan('post.findMany', { take: -10 }, { maxTake: 10 })).toEqual({
      delegate: 'post',
      operation: 'findMany',
      args: { take: -10, select },
    });
    expect(plan('post.findFirst', {}, { maxTake: 10 })).toEqual({ delegate: 'post', operation: 'findFirst', args: { select } });
    expect(plan('post.findMany', {}, { maxTake: Infinity })).toEqual({ delegate: 'post', operation: 'findMany', args: { select } });
  });

  it('applies to a take at any depth', () => {
    expect(refusal('post.findMany', { take: 11 }, { maxTake: 10 })).toBe('400 take asks for more rows than limits.maxTake allows: 10.');
    expect(refusal('user.findMany', { take: 1, select: { posts: { include: { tags: { take: -11 } } } } }, { maxTake: 10 })).toBe(
      '400 select.posts.include.tags.take asks for more rows than limits.maxTake allows: 10.',
    );
    const data = Array.from({ length: 11 }, (_, id) => ({ id, name: 'a' }));
    expect(refusal('tag.createManyAndReturn', { data }, { maxTake: 10 })).toBe(
      '400 data asks for more rows than limits.maxTake allows: 10.',
    );
    expect(refusal('tag.createMany', { data }, { maxTake: 10 })).toBe('accepted');
    expect(refusal('tag.updateManyAndReturn', { where: {}, data: {}, limit: 11 }, { maxTake: 10 })).toBe(
      '400 limit asks for more rows than limits.maxTake allows: 10.',
    );
    expect(refusal('tag.updateMany', { where: {}, data: {}, limit: 11 }, { maxTake: 10 })).toBe('accepted');
  });
});

describe('limits.maxIncludeDepth', () => {
  /** post → author → reviews → author → …, so many relations deep. */
  function deep(hops: number, key: 'include' | 'select'): Record<string, unknown> {
    const names = Array.from({ length: hops }, (_, index) => (index % 2 ? 'reviews' : 'author'));
    return names.reduceRight<Record<string, unknown>>(
      (inner, name) => ({ [key]: { [name]: Object.keys(inner).length === 0 ? true : inner } }),
      {},
    );
  }

  it.each(['include', 'select'] as const)('allows so many nested relations by %s, each with arguments', (key) => {
    expect(refusal('post.findMany', deep(5, key))).toBe('accepted');
    expect(refusal('post.findMany', deep(6, key))).toBe(
      `400 ${key}.author.${key}.reviews.${key}.author.${key}.reviews.${key}.author.${key}.reviews selects relations deeper than limits.maxIncludeDepth allows: 5.`,
    );
  });

  it('refuses to follow one relation back more than once', () => {
    const include = (names: readonly string[]): Record<string, unknown> =>
      names.reduceRight<Record<string, unknown>>((inner, name) => ({ include: { [name]: inner } }), {});
    expect(refusal('tag.findMany', include(['posts', 'tags']))).toBe('accepted');
    expect(refusal('tag.findMany', include(['posts', 'tags', 'posts']))).toBe(
      '400 include.posts.include.tags.include.posts turns back over the relation it came by more than 1 time.',
    );
  });

  it('refuses a cyclic include of any depth', () => {
    for (const hops of [12, 5000]) expect(refusal('post.findMany', deep(hops, 'include'))).toMatch(/^400 .*maxIncludeDepth allows: 5\.$/);
  });
});

describe('limits.maxDepth', () => {
  const wrap = (key: string, levels: number, inner: unknown): unknown =>
    Array.from({ length: levels }).reduce<unknown>((value) => ({ [key]: value }), inner);

  it('counts the objects of one argument', () => {
    expect(refusal('post.findMany', { where: wrap('NOT', 9, { title: 'a' }) })).toBe('accepted');
    expect(refusal('post.findMany', { where: wrap('NOT', 10, { title: 'a' }) })).toBe(
      `400 where${'.NOT'.repeat(10)} nests deeper than limits.maxDepth allows: 10.`,
    );
  });

  it('counts the arguments of an included relation separately', () => {
    const where = wrap('NOT', 9, { name: 'a' });
    expect(refusal('user.findMany', { include: { posts: { include: { tags: { where } } } } })).toBe('accepted');
  });

  it.each([
    ['where', { where: wrap('NOT', 100_000, {}) }],
    ['a relation filter', { where: wrap('author', 1, wrap('NOT', 100_000, {})) }],
    ['having', { by: ['id'], having: wrap('AND', 100_000, {}) }],
    ['not', { where: { title: wrap('not', 100_000, 'a') } }],
  ])('refuses bottomless %s without a stack overflow', (_, args) => {
    expect(refusal('by' in args ? 'post.groupBy' : 'post.findMany', args)).toMatch(/^400 .*maxDepth allows: 10\.$/);
  });

  it('refuses bottomless data without a stack overflow', () => {
    const nested = Array.from({ length: 10_000 }).reduce<object>((inner) => ({ author: { create: { posts: { create: inner } } } }), {});
    expect(refusal('post.create', { data: nested })).toMatch(/^400 .*maxDepth allows: 10\.$/);
  });
});

describe('limits.maxFilterTerms', () => {
  const many = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

  it.each<[string, Record<string, unknown>]>([
    ['conditions', { where: { OR: many(100).map((id) => ({ id })) } }],
    ['elements of in', { where: { id: { in: many(99) } } }],
    ['elements of hasSome', { where: { keywords: { hasSome: many(99).map(String) } } }],
    ['terms of an order', { orderBy: many(100).map(() => ({ id: 'asc' })) }],
    ['distinct fields', { distinct: many(100).map(() => 'id') }],
    ['empty conditions', { where: { OR: many(100).map(() => ({})) } }],
    ['conditions in several places', { where: { id: { in: many(49) } }, include: { tags: { where: { id: { in: many(49) } } } } }],
  ])('allows so many %s and no more', (_, args) => {
    expect(refusal('post.findMany', args)).toBe('accepted');
    expect(refusal('post.findMany', args, { maxFilterTerms: 99 })).toMatch(
      /^400 .* needs more filter and sort terms than limits.maxFilterTerms allows: 99\.$/,
    );
  });

  it.each<[string, Record<string, unknown>]>([
    ['a list of 100,000 values', { where: { id: { in: many(100_000) } } }],
    ['50,000 branches', { where: { OR: many(50_000).map(() => ({ id: 1 })) } }],
    ['50,000 empty branches', { where: { AND: many(50_000).map(() => ({})) } }],
    ['branches of branches', { where: { OR: many(99).map(() => ({ OR: many(99).map(() => ({ OR: [] })) })) } }],
    ['a path of 100,000 keys', { where: { metadata: { path: many(100_000).map(String), equals: 1 } } }],
  ])('refuses %s', (_, args) => {
    expect(refusal('post.findMany', args)).toMatch(/^400 .*maxFilterTerms allows: 100\.$/);
  });
});

describe('limits.maxJoins', () => {
  const chain = (hops: number): object => (hops === 0 ? { title: 'a' } : { author: { posts: { none: chain(hops - 1) } } });

  it.each<[string, Record<string, unknown>, string]>([
    ['lists below lists', { where: chain(3) }, '63 joins (where 63)'],
    ['many lists', { where: { OR: Array.from({ length: 16 }, () => ({ comments: { none: {} } })) } }, '32 joins (where 32)'],
    [
      'everything together',
      {
        where: { AND: Array.from({ length: 12 }, () => ({ comments: { some: {} } })) },
        orderBy: [{ comments: { _count: 'asc' } }, { author: { posts: { _count: 'desc' } } }],
        include: { author: { select: { _count: true } } },
      },
      '40 joins (where 24, include 11, orderBy 5)',
    ],
    ['a filter in an include', { include: { author: { select: { posts: { where: chain(3) } } } } }, '65 joins (include 65)'],
  ])('is about %s', (_, args, need) => {
    expect(refusal('post.findMany', args)).toBe(`400 The request needs ${need}; limits.maxJoins allows 30.`);
  });

  it('counts a repeated key of an order once', () => {
    const orderBy = Array.from({ length: 20 }, () => ({ comments: { _count: 'asc' } }));
    expect(planned('post.findMany', { orderBy })['orderBy']).toEqual([{ comments: { _count: 'asc' } }]);
    expect(
      planned('post.findMany', {
        orderBy: [{ title: 'asc' }, { author: { name: 'asc' } }, { title: 'desc' }, { author: { email: 'asc' } }],
      })['orderBy'],
    ).toEqual([{ title: 'asc' }, { author: { name: 'asc' } }, { author: { email: 'asc' } }]);
    expect(planned('post.findMany', { orderBy: [{ rating: 'asc' }, { rating: { sort: 'asc', nulls: 'last' } }, {}] })['orderBy']).toEqual([
      { rating: 'asc' },
    ]);
  });
});

describe('limits.maxValues', () => {
  const values = Array.from({ length: 4 }, () => 'a');

  it.each<[string, Record<string, unknown>]>([
    ['post.create', { data: { keywords: values } }],
    ['post.update', { where: { id: 1 }, data: { keywords: { push: values } } }],
    ['post.updateMany', { where: {}, data: { keywords: { set: values } } }],
    ['post.create', { data: { metadata: { a: { b: ['c'] } } } }],
    ['post.createMany', { data: [{ metadata: [1, 2] }, { metadata: [3] }] }],
  ])('counts what %s %j writes into lists and Json fields', (call, args) => {
    const needed = /^400 data\S*\.(keywords|metadata)\S* writes more values than limits.maxValues allows: 2\.$/;
    expect(refusal(call, args, { maxValues: 2 })).toMatch(needed);
    expect(refusal(call, args, { maxValues: 5 })).not.toContain('maxValues');
  });

  it('adds up what both sides of an upsert write', () => {
    const args = { where: { id: 1 }, create: { metadata: [1, 2] }, update: { metadata: [3, 4] } };
    expect(refusal('post.upsert', args, { maxValues: 3 })).toBe('400 update.metadata writes more values than limits.maxValues allows: 3.');
  });

  it.each(['keywords', 'metadata'])('counts %s before it reads them', (field) => {
    const read = jest.fn(() => 'a');
    const unread = Object.defineProperty(
      Array.from({ length: 3 }, () => ['a']),
      1,
      { get: read, enumerable: true },
    );
    expect(refusal('post.create', { data: { [field]: unread } }, { maxValues: 2 })).toContain('limits.maxValues allows: 2.');
    expect(read).not.toHaveBeenCalled();
  });
});

describe('limits.maxBatchSize', () => {
  const many = <Item>(count: number, item: Item): readonly Item[] => Array.from({ length: count }, () => item);

  it.each<[string, Record<string, unknown>]>([
    ['tag.createMany', { data: many(3, { id: 1, name: 'a' }) }],
    ['user.create', { data: { email: 'a', name: 'b', posts: { create: many(3, { title: 'a' }) } } }],
    ['user.create', { data: { email: 'a', name: 'b', posts: { createMany: { data: many(3, { title: 'a' }) } } } }],
    ['user.update', { where: { id: 1 }, data: { posts: { connect: many(2, { id: 1 }), disconnect: { id: 1 } } } }],
    ['post.update', { where: { id: 1 }, data: { tags: { set: many(3, { id: 1 }) } } }],
  ])('counts the records that %s %j writes', (call, args) => {
    expect(refusal(call, args, { maxBatchSize: 3 })).toBe('accepted');
    expect(refusal(call, args, { maxBatchSize: 2 })).toMatch(/^400 data\S* writes more records than limits.maxBatchSize allows: 2\.$/);
  });

  it('counts records before it reads them', () => {
    const data = many(1_000_000, null);
    expect(refusal('tag.createMany', { data })).toBe('400 data writes more records than limits.maxBatchSize allows: 1000.');
  });

  it('does not change the plan of a write within the limit', () => {
    expect(planned('tag.createMany', { data: [{ id: 1, name: 'a' }] })).toEqual({ data: [{ id: 1, name: 'a' }] });
  });
});
