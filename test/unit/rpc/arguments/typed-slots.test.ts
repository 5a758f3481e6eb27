import { describe, expect, it } from '@jest/globals';
import { planned, refusal } from '../publisher.js';

const UUID = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

describe('a typed slot', () => {
  const id = 'an integer between -9223372036854775808 and 9223372036854775807 (as a string beyond 9007199254740991)';

  it.each<[string, Record<string, unknown>, string]>([
    ['post.findMany', { where: [] }, 'where must be an object.'],
    ['post.findMany', { where: 'id = 1' }, 'where must be an object.'],
    ['post.findMany', { where: null }, 'where must be an object.'],
    ['post.findMany', { where: { OR: { id: 1 } } }, 'where.OR must be a list.'],
    ['post.findMany', { where: { AND: [null] } }, 'where.AND.0 must be an object.'],
    ['post.findMany', { where: { id: 'one' } }, `where.id must be ${id}.`],
    ['post.findMany', { where: { id: [1] } }, `where.id must be ${id}.`],
    ['post.findMany', { where: { id: 1.5 } }, `where.id must be ${id}.`],
    ['post.findMany', { where: { id: null } }, 'where.id must not be null.'],
    ['post.findMany', { where: { id: { in: 1 } } }, 'where.id.in must be a list.'],
    ['post.findMany', { where: { id: { in: [1, {}] } } }, `where.id.in.1 must be ${id}.`],
    ['post.findMany', { where: { id: { in: [null] } } }, 'where.id.in.0 must not be null.'],
    ['post.findMany', { where: { id: { not: { equals: { a: 1 } } } } }, `where.id.not.equals must be ${id}.`],
    ['post.findUnique', { where: { id: { not: 0 } } }, `where.id must be ${id}.`],
    ['post.delete', { where: { id: { gt: 0 } } }, `where.id must be ${id}.`],
    ['post.findMany', { cursor: { id: { gte: 0 } } }, `cursor.id must be ${id}.`],
    [
      'post.update',
      { where: { id: 1 }, data: { tags: { connect: { id: { not: 0 } } } } },
      'data.tags.connect.id must be an integer between -2147483648 and 2147483647.',
    ],
    [
      'user.findUnique',
      { where: { email: { contains: '@' } } },
      'where.email must be a string without NUL characters and lone surrogates.',
    ],
    ['post.findUnique', { where: { title_authorId: { title: 'x' } } }, 'where.title_authorId.authorId must be a value.'],
    ['post.findUnique', { where: {} }, 'where must name one record of Post by a unique key: id or title_authorId.'],
    ['post.findUnique', {}, 'where is missing.'],
    [
      'user.findMany',
      { where: { name: { contains: { a: 1 } } } },
      'where.name.contains must be a string without NUL characters and lone surrogates.',
    ],
    ['user.findMany', { where: { name: 'a\0b' } }, 'where.name must be a string without NUL characters and lone surrogates.'],
    ['user.findMany', { where: { name: '\ud800' } }, 'where.name must be a string without NUL characters and lone surrogates.'],
    ['user.findMany', { where: { name: { mode: 'loud', equals: 'x' } } }, "where.name.mode must be 'default' or 'insensitive'."],
    ['user.findMany', { where: { role: 'GOD' } }, "where.role must be one of 'READER', 'AUTHOR'."],
    ['user.findMany', { where: { role: 'toString' } }, "where.role must be one of 'READER', 'AUTHOR'."],
    ['post.findMany', { where: { keywords: ['a'] } }, 'where.keywords must be an object.'],
    [
      'post.findMany',
      { where: { keywords: { has: 'a', isEmpty: false } } },
      'where.keywords takes exactly one of equals, has, hasEvery, hasSome, isEmpty.',
    ],
    ['post.findMany', { where: { keywords: {} } }, 'where.keywords takes exactly one of equals, has, hasEvery, hasSome, isEmpty.'],
    ['post.findMany', { where: { keywords: { isEmpty: 'yes' } } }, 'where.keywords.isEmpty must be true or false.'],
    ['post.findMany', { where: { metadata: 'x' } }, 'where.metadata must be an object.'],
    [
      'post.findMany',
      { where: { metadata: { path: [1], equals: 1 } } },
      'where.metadata.path.0 must be a string without NUL characters and lone surrogates.',
    ],
    ['post.findMany', { where: { author: null } }, 'where.author must not be null: the relation is required.'],
    ['post.findMany', { where: { author: { is: null } } }, 'where.author.is must not be null: the relation is required.'],
    ['post.findMany', { where: { tags: null } }, 'where.tags must be an object.'],
    ['post.findMany', { take: '10' }, 'take must be an integer.'],
    ['post.findMany', { take: 1.5 }, 'take must be an integer.'],
    ['post.findMany', { take: NaN }, 'take must be an integer.'],
    ['post.findMany', { take: Infinity }, 'take must be an integer.'],
    ['post.findMany', { take: 1e12 }, 'take must be an integer between -2147483647 and 2147483647.'],
    ['post.findMany', { take: 10001 }, 'take asks for more rows than limits.maxTake allows: 10000.'],
    ['post.findMany', { take: -100000 }, 'take asks for more rows than limits.maxTake allows: 10000.'],
    ['post.findMany', { include: { tags: { take: 10001 } } }, 'include.tags.take asks for more rows than limits.maxTake allows: 10000.'],
    ['post.findMany', { skip: -1 }, 'skip must be an integer between 0 and 2147483647.'],
    ['post.deleteMany', { where: {}, limit: -1 }, 'limit must be an integer between 0 and 2147483647.'],
    ['post.findMany', { orderBy: 'title' }, 'orderBy must be an object.'],
    ['post.findMany', { orderBy: { title: 'up' } }, "orderBy.title must be 'asc' or 'desc'."],
    ['post.findMany', { orderBy: { title: { sort: 'asc' } } }, "orderBy.title must be 'asc' or 'desc'."],
    ['post.findMany', { orderBy: { reviewerId: { sort: 'asc', nulls: 'middle' } } }, "orderBy.reviewerId.nulls must be 'first' or 'last'."],
    ['post.findMany', { orderBy: { title: 'asc', id: 'asc' } }, 'orderBy must name one field; write a list of objects to sort by several.'],
    ['post.findMany', { distinct: [] }, 'distinct must name at least one field.'],
    ['post.findMany', { distinct: [{ id: true }] }, 'distinct.0 must be the name of a field of Post.'],
    ['post.findMany', { relationLoadStrategy: 'fast' }, "relationLoadStrategy must be 'join' or 'query'."],
    ['post.findMany', { select: ['id'] }, 'select must be an object.'],
    ['post.findMany', { select: { id: 1 } }, 'select.id must be true or false.'],
    ['post.findMany', { select: { author: null } }, 'select.author must be an object.'],
    ['post.findMany', { select: { id: true }, include: { author: true } }, 'post.findMany takes either select or include, not both.'],
    ['post.findMany', { select: { id: true }, omit: { title: true } }, 'post.findMany takes either select or omit, not both.'],
    [
      'post.findMany',
      { include: { author: { select: { id: true }, omit: { name: true } } } },
      'include.author takes either select or omit, not both.',
    ],
    ['post.findMany', { include: { title: true } }, 'include.title is a plain field; include takes relations only.'],
    ['post.groupBy', {}, 'by is missing.'],
    ['post.groupBy', { by: [] }, 'by must name at least one field.'],
    ['post.findMany', { cursor: {} }, 'cursor must name one record of Post by a unique key: id or title_authorId.'],
    ['post.findMany', { cursor: { id: 1, AND: [] } }, 'Unknown argument cursor.AND.'],
    ['post.findMany', { cursor: { id: 1, title: { gt: '' } } }, 'Unknown argument cursor.title.'],
    ['post.findMany', { include: { tags: { cursor: { id: 1, posts: {} } } } }, 'Unknown argument include.tags.cursor.posts.'],
    ['post.groupBy', { by: ['keywords'], having: { keywords: { has: 'x' } } }, 'Unknown argument having.keywords.has.'],
    ['post.groupBy', { by: ['keywords'], having: { keywords: { isEmpty: true } } }, 'Unknown argument having.keywords.isEmpty.'],
    ['post.groupBy', { by: ['keywords'], having: { NOT: { keywords: {} } } }, 'having.NOT.keywords takes exactly one of equals.'],
    ['post.groupBy', { by: ['authorId'], having: { author: { is: {} } } }, 'having.author is a relation; groups are made of plain fields.'],
    ['user.findMany', { where: { name: { search: 'x', mode: 'insensitive' } } }, 'where.name.mode does not go with search.'],
    ['user.findMany', { where: { name: { mode: 'insensitive', not: { search: 'x' } } } }, 'where.name.mode does not go with search.'],
    ['post.aggregate', { _avg: { viewCount: 'yes' } }, '_avg.viewCount must be true or false.'],
    ['post.create', {}, 'data is missing.'],
    ['post.create', { data: [{}] }, 'data must be an object.'],
    ['post.create', { data: { title: null } }, 'data.title must not be null.'],
    ['post.create', { data: { title: 1 } }, 'data.title must be a string without NUL characters and lone surrogates.'],
    ['post.create', { data: { title: { set: 'x' } } }, 'data.title must be a string without NUL characters and lone surrogates.'],
    ['post.create', { data: { keywords: 'x' } }, 'data.keywords must be a list.'],
    ['post.create', { data: { keywords: { push: 'x' } } }, 'Unknown argument data.keywords.push.'],
    [
      'post.create',
      { data: { createdAt: 'yesterday' } },
      'data.createdAt must be an ISO 8601 date and time with a time zone, such as 2024-01-31T10:00:00Z.',
    ],
    ['post.create', { data: { author: { connect: [{ id: 1 }] } } }, 'data.author.connect must be an object.'],
    ['post.create', { data: { author: null } }, 'data.author must be an object.'],
    [
      'post.createMany',
      { data: [{ author: { connect: { id: 1 } } }] },
      'data.0.author is a relation; writes of many records take plain fields only.',
    ],
    ['post.update', { where: { id: 1 }, data: { viewCount: { increment: null } } }, 'data.viewCount.increment must not be null.'],
    [
      'post.update',
      { where: { id: 1 }, data: { viewCount: { increment: 1, set: 2 } } },
      'data.viewCount takes exactly one of set, increment, decrement, multiply, divide.',
    ],
    [
      'post.update',
      { where: { id: 1 }, data: { viewCount: {} } },
      'data.viewCount takes exactly one of set, increment, decrement, multiply, divide.',
    ],
    ['post.update', { where: { id: 1 }, data: { reviewer: { disconnect: 'yes' } } }, 'data.reviewer.disconnect must be true or false.'],
    ['user.update', { where: { id: 1 }, data: { posts: { updateMany: { data: {} } } } }, 'data.posts.updateMany.where must be an object.'],
    [
      'user.update',
      { where: { id: 1 }, data: { posts: { deleteMany: { author: {} } } } },
      'data.posts.deleteMany.author is a relation; this filter takes plain fields only.',
    ],
    [
      'user.update',
      { where: { id: 1 }, data: { posts: { upsert: { where: { id: 1 }, create: {} } } } },
      'data.posts.upsert.update must be an object.',
    ],
    ['post.createMany', { data: [], skipDuplicates: 1 }, 'skipDuplicates must be true or false.'],
  ])('in %s %j takes values of its type only', (call, args, sentence) => {
    expect(refusal(call, args)).toBe(`400 ${sentence}`);
  });

  it('converts by the type of the field where no metadata did', () => {
    const data = { id: '9007199254740993', rating: 4.5, createdAt: '2026-01-02T03:04:05Z', ref: UUID };
    expect(planned('post.create', { data })).toMatchObject({
      data: { id: 9007199254740993n, rating: '4.5', createdAt: new Date('2026-01-02T03:04:05Z'), ref: UUID },
    });
    expect(planned('profile.create', { data: { id: 1, avatar: 'AAH+/w==' } })).toMatchObject({
      data: { id: 1, avatar: Uint8Array.of(0, 1, 254, 255) },
    });
    expect(planned('post.findFirst', { where: { createdAt: { gte: '2026-01-02T00:00:00Z' }, id: { in: ['1', 2, 3n] } } })).toMatchObject({
      where: { createdAt: { gte: new Date('2026-01-02') }, id: { in: [1n, 2n, 3n] } },
    });
    expect(
      planned('post.groupBy', {
        by: 'authorId',
        having: { viewCount: { _avg: { gt: 0.5 }, _sum: { lt: 5 } } },
        take: 1,
        orderBy: { authorId: 'asc' },
      }),
    ).toEqual({
      by: ['authorId'],
      having: { AND: [{ viewCount: { _avg: { gt: 0.5 } } }, { viewCount: { _sum: { lt: 5 } } }] },
      take: 1,
      orderBy: [{ authorId: 'asc' }],
    });
  });

  it('refuses undefined in a filter, which would widen it', () => {
    const where = { id: undefined };
    for (const call of ['post.findMany', 'post.deleteMany', 'post.count'])
      expect(refusal(call, { where })).toBe('400 where.id must be a value.');
    for (const operator of ['AND', 'OR', 'NOT', 'author', 'tags']) {
      expect(refusal('post.deleteMany', { where: { [operator]: undefined } })).toMatch(/^400 where\.\w+ must be /);
    }
    expect(refusal('post.deleteMany', { where: { OR: [undefined] } })).toBe('400 where.OR.0 must be an object.');
    expect(refusal('post.deleteMany', { where: { title: { equals: undefined } } })).toBe('400 where.title.equals must be a value.');
    expect(refusal('post.deleteMany', { where: { title: { in: [undefined] } } })).toBe('400 where.title.in.0 must be a value.');
    expect(refusal('post.deleteMany', { where: { keywords: { has: undefined } } })).toBe('400 where.keywords.has must be a value.');
    expect(refusal('post.deleteMany', { where: { metadata: { equals: undefined } } })).toBe('400 where.metadata.equals must be a value.');
    expect(refusal('post.deleteMany', { where: { tags: { some: undefined } } })).toBe('400 where.tags.some must be an object.');
    expect(refusal('user.update', { where: { id: 1 }, data: { posts: { deleteMany: [undefined] } } })).toMatch(
      'data.posts.deleteMany.0 must be',
    );
  });

  it.each(['deleteMany', 'updateMany', 'updateManyAndReturn'])('requires an explicit filter for %s', (operation) => {
    const data = operation === 'deleteMany' ? {} : { data: {} };
    for (const where of [{}, { where: undefined }]) {
      expect(refusal(`post.${operation}`, { ...where, ...data })).toBe('400 where is missing; write {} to mean all records.');
    }
    expect(refusal(`post.${operation}`, { where: {}, ...data })).toBe('accepted');
  });

  it('treats undefined elsewhere as absent, as the data client does', () => {
    expect(planned('post.findFirst', { where: undefined, take: undefined, select: { id: true, title: undefined } })).toEqual({
      select: { id: true },
    });
    expect(planned('post.create', { data: { title: undefined, author: { connect: { id: 1 }, create: undefined } } })).toMatchObject({
      data: { author: { connect: { id: 1 } } },
    });
  });
});
