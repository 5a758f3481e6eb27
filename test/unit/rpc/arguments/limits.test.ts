import { describe, expect, it } from '@jest/globals';
import { plan, planned, refusal } from '../publisher.js';

describe('limits.maxTake', () => {
  const sentence = 'post.findMany found more rows than limits.maxTake allows: 10. Ask for fewer with take.';
  const expect10 = { kind: 'at-most', rows: 10, problem: { code: 'limit-exceeded', detail: sentence } };

  it('asks for one row more than allowed where there is no take, and refuses it if it comes', () => {
    expect(plan('post.findMany', {}, { maxTake: 10 })).toEqual({
      delegate: 'post',
      operation: 'findMany',
      args: { take: 11 },
      expect: expect10,
    });
  });

  it('counts groups and distinct rows only, for a limit of the database would change what Prisma does', () => {
    expect(plan('post.findMany', { distinct: ['title'] }, { maxTake: 10 })).toMatchObject({
      args: { distinct: ['title'] },
      expect: expect10,
    });
    expect(plan('post.groupBy', { by: ['title'] }, { maxTake: 10 })).toMatchObject({ args: { by: ['title'] }, expect: { rows: 10 } });
  });

  it('leaves a take within it alone, and reads of one row', () => {
    expect(plan('post.findMany', { take: -10 }, { maxTake: 10 })).toEqual({ delegate: 'post', operation: 'findMany', args: { take: -10 } });
    expect(plan('post.findFirst', {}, { maxTake: 10 })).toEqual({ delegate: 'post', operation: 'findFirst', args: {} });
    expect(plan('post.findMany', {}, { maxTake: Infinity })).toEqual({ delegate: 'post', operation: 'findMany', args: {} });
  });

  it('holds for a take at any depth', () => {
    expect(refusal('post.findMany', { take: 11 }, { maxTake: 10 })).toBe('400 take asks for more rows than limits.maxTake allows: 10.');
    expect(refusal('user.findMany', { take: 1, select: { posts: { include: { tags: { take: -11 } } } } }, { maxTake: 10 })).toBe(
      '400 select.posts.include.tags.take asks for more rows than limits.maxTake allows: 10.',
    );
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

  it.each(['include', 'select'] as const)('allows so many relations by %s, with arguments of their own', (key) => {
    expect(refusal('post.findMany', deep(5, key))).toBe('accepted');
    expect(refusal('post.findMany', deep(6, key))).toBe(
      `400 ${key}.author.${key}.reviews.${key}.author.${key}.reviews.${key}.author.${key}.reviews selects relations deeper than limits.maxIncludeDepth allows: 5.`,
    );
  });

  it('refuses to turn back over one relation again and again', () => {
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

  it('counts the arguments of an included relation afresh', () => {
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

  it('counts before it walks', () => {
    const data = many(1_000_000, null);
    expect(refusal('tag.createMany', { data })).toBe('400 data writes more records than limits.maxBatchSize allows: 1000.');
  });

  it('leaves the plan of a write within it as it is', () => {
    expect(planned('tag.createMany', { data: [{ id: 1, name: 'a' }] })).toEqual({ data: [{ id: 1, name: 'a' }] });
  });
});
