import { describe, expect, it } from '@jest/globals';
import { plain, planned, refusal } from '../publisher.js';

type Row = readonly [call: string, args: Record<string, unknown>, path: string];

/** Every argument that could name a field: the surfaces of security cases 1 to 4 and 7. */
function surfaces(field: string): readonly Row[] {
  return [
    ['user.findMany', { where: { [field]: { startsWith: '$2a' } } }, `where.${field}`],
    ['user.findMany', { where: { AND: [{ OR: [{ NOT: { [field]: 'x' } }] }] } }, `where.AND.0.OR.0.NOT.${field}`],
    ['post.findMany', { where: { author: { [field]: 'x' } } }, `where.author.${field}`],
    ['post.findMany', { where: { author: { is: { [field]: 'x' } } } }, `where.author.is.${field}`],
    ['tag.findMany', { where: { posts: { some: { author: { isNot: { [field]: 'x' } } } } } }, `where.posts.some.author.isNot.${field}`],
    ['user.findUnique', { where: { [field]: 'x' } }, `where.${field}`],
    ['user.findUnique', { where: { id: 1, [field]: 'x' } }, `where.${field}`],
    ['user.delete', { where: { id: 1, [field]: 'x' } }, `where.${field}`],
    ['user.updateMany', { where: { [field]: 'x' }, data: {} }, `where.${field}`],
    ['user.deleteMany', { where: { [field]: 'x' } }, `where.${field}`],
    ['user.count', { where: { [field]: 'x' } }, `where.${field}`],
    ['user.count', { select: { [field]: true } }, `select.${field}`],
    ['user.findMany', { orderBy: { [field]: 'asc' } }, `orderBy.${field}`],
    ['user.findMany', { orderBy: [{ id: 'asc' }, { [field]: { sort: 'asc', nulls: 'last' } }] }, `orderBy.1.${field}`],
    ['post.findMany', { orderBy: { author: { [field]: 'asc' } } }, `orderBy.author.${field}`],
    ['user.findMany', { orderBy: { _relevance: { fields: [field], search: 'x', sort: 'asc' } } }, 'orderBy._relevance.fields.0'],
    ['user.findMany', { cursor: { [field]: 'x' } }, `cursor.${field}`],
    ['user.findMany', { distinct: [field] }, `distinct.0.${field}`],
    ['user.findMany', { distinct: field }, `distinct.${field}`],
    ['user.findMany', { select: { [field]: true } }, `select.${field}`],
    ['user.findMany', { include: { [field]: true } }, `include.${field}`],
    ['user.findMany', { omit: { [field]: false } }, `omit.${field}`],
    ['user.findMany', { omit: { [field]: true } }, `omit.${field}`],
    ['post.findMany', { include: { author: { select: { [field]: true } } } }, `include.author.select.${field}`],
    ['post.findMany', { select: { author: { omit: { [field]: false } } } }, `select.author.omit.${field}`],
    [
      'user.findMany',
      { include: { posts: { include: { reviewer: { select: { [field]: true } } } } } },
      `include.posts.include.reviewer.select.${field}`,
    ],
    ['post.findMany', { select: { reviewer: { where: { [field]: 'x' } } } }, `select.reviewer.where.${field}`],
    ['user.groupBy', { by: [field] }, `by.0.${field}`],
    ['user.groupBy', { by: ['id'], having: { [field]: 'x' } }, `having.${field}`],
    ['user.groupBy', { by: ['id'], orderBy: { [field]: 'asc' } }, `orderBy.${field}`],
    ['user.groupBy', { by: ['id'], orderBy: { _count: { [field]: 'asc' } } }, `orderBy._count.${field}`],
    ['user.groupBy', { by: ['id'], _max: { [field]: true } }, `_max.${field}`],
    ['user.aggregate', { _min: { [field]: true } }, `_min.${field}`],
    ['user.aggregate', { _count: { [field]: true } }, `_count.${field}`],
    ['user.aggregate', { where: { [field]: 'x' } }, `where.${field}`],
    ['user.create', { data: { email: 'a', name: 'b', [field]: 'x' } }, `data.${field}`],
    ['user.createMany', { data: [{ email: 'a', name: 'b', [field]: 'x' }] }, `data.0.${field}`],
    ['user.createManyAndReturn', { data: { [field]: 'x' } }, `data.${field}`],
    ['user.update', { where: { id: 1 }, data: { [field]: { set: 'x' } } }, `data.${field}`],
    ['user.updateMany', { where: {}, data: { [field]: 'x' } }, `data.${field}`],
    ['user.upsert', { where: { id: 1 }, create: { [field]: 'x' }, update: {} }, `create.${field}`],
    ['user.upsert', { where: { id: 1 }, create: {}, update: { [field]: 'x' } }, `update.${field}`],
    ['user.upsert', { where: { [field]: 'x' }, create: {}, update: {} }, `where.${field}`],
    ['post.create', { data: { author: { create: { [field]: 'x' } } } }, `data.author.create.${field}`],
    ['post.create', { data: { author: { connect: { [field]: 'x' } } } }, `data.author.connect.${field}`],
    [
      'post.create',
      { data: { author: { connectOrCreate: { where: { [field]: 'x' }, create: {} } } } },
      `data.author.connectOrCreate.where.${field}`,
    ],
    ['post.update', { where: { id: 1 }, data: { author: { update: { [field]: 'x' } } } }, `data.author.update.${field}`],
    ['post.update', { where: { id: 1 }, data: { reviewer: { disconnect: { [field]: 'x' } } } }, `data.reviewer.disconnect.${field}`],
    [
      'post.update',
      { where: { id: 1 }, data: { author: { upsert: { create: {}, update: { [field]: 1 } } } } },
      `data.author.upsert.update.${field}`,
    ],
  ];
}

describe('a hidden field', () => {
  it.each(surfaces('passwordHash'))('is unknown to %s %j', (call, args, path) => {
    expect(refusal(call, args)).toMatch(new RegExp(`^400 .*\\b${path.replaceAll('.', '\\.')}\\b`));
  });

  it('is refused in the words for a field that does not exist', () => {
    const missing = surfaces('passwordHasj').map(([call, args]) => refusal(call, args).replaceAll('passwordHasj', 'passwordHash'));
    expect(surfaces('passwordHash').map(([call, args]) => refusal(call, args))).toEqual(missing);
  });

  it.each(surfaces('constructor').concat(surfaces('__proto__'), surfaces('toString')))(
    '%s %j is refused for names of inherited members',
    (call, args) => {
      // An object literal has no own `__proto__`; JSON does.
      const own = JSON.parse(JSON.stringify(args).replaceAll('{}', '{"__proto__":1}')) as Record<string, unknown>;
      expect(refusal(call, own)).toMatch(/^400 /);
    },
  );

  it('addresses no record as a unique key', () => {
    expect(refusal('user.findUnique', { where: { recoveryCode: 'x' } })).toBe('400 Unknown argument where.recoveryCode.');
    expect(refusal('user.findUnique', { where: { name: 'x' } })).toBe(
      '400 where must name one record of User by a unique key: id or email.',
    );
  });
});

describe('default results', () => {
  const user = {
    id: true,
    email: true,
    name: true,
    role: true,
    loginCount: true,
    locale: true,
    phone: true,
    createdAt: true,
  };
  const post = plain('post');

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['user.findFirst', {}, user],
    ['user.findFirst', { select: null, include: null, omit: null }, user],
    ['user.findFirst', { omit: { name: true, email: false } }, { ...user, name: undefined }],
    ['user.findFirst', { select: { name: true, pin: false } }, { name: true }],
    ['user.findFirst', { include: { posts: true } }, { ...user, posts: { take: 10001, select: post } }],
    [
      'post.findFirst',
      { include: { author: true, tags: true } },
      { ...post, author: { select: user }, tags: { take: 10001, select: plain('tag') } },
    ],
    ['post.findFirst', { include: { author: {}, tags: false } }, { ...post, author: { select: user } }],
    [
      'post.findFirst',
      { select: { reviewer: { include: { profile: true } } } },
      { reviewer: { select: { ...user, profile: { select: plain('profile') } } } },
    ],
    ['post.update', { where: { id: 1 }, data: {} }, post],
    ['post.createManyAndReturn', { data: [], omit: { title: true } }, { ...post, title: undefined }],
  ])('of %s %j are selected by name, and hold nothing that may not be read', (call, args, select) => {
    const { select: selected, ...others } = planned(call, args);
    expect(selected).toEqual(select);
    expect(Object.keys(others)).toEqual(expect.not.arrayContaining(['include', 'omit']));
  });

  it('count every readable to-many relation with _count: true', () => {
    const select = { posts: true, reviews: true, comments: true, seals: true, badges: true };
    expect(planned('user.findFirst', { select: { _count: true } })).toEqual({ select: { _count: { select } } });
    expect(planned('user.findFirst', { include: { _count: { select: true } } })).toMatchObject({
      select: { id: true, _count: { select } },
    });
    expect(refusal('profile.findFirst', { select: { _count: true } })).toBe('400 Unknown argument select._count.');
  });

  it('of a hidden relation or model are refused as unknown arguments', () => {
    for (const key of ['select', 'include']) {
      expect(refusal('user.findMany', { [key]: { tokens: true } })).toBe(`400 Unknown argument ${key}.tokens.`);
      expect(refusal('user.findMany', { [key]: { _count: { select: { tokens: true } } } })).toBe(
        `400 Unknown argument ${key}._count.select.tokens.`,
      );
      expect(refusal('badge.findMany', { [key]: { user: true } })).toBe(`400 Unknown argument ${key}.user.`);
    }
    expect(refusal('user.findMany', { where: { tokens: { some: {} } } })).toBe('400 Unknown argument where.tokens.');
    expect(refusal('user.findMany', { orderBy: { tokens: { _count: 'asc' } } })).toBe('400 Unknown argument orderBy.tokens.');
    expect(refusal('user.update', { where: { id: 1 }, data: { tokens: { deleteMany: {} } } })).toBe('400 Unknown argument data.tokens.');
  });
});

describe('single rights', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['user.findMany', { select: { pin: true } }, 'select.pin may not be read.'],
    ['user.findMany', { omit: { pin: false } }, 'omit.pin may not be read.'],
    ['user.findMany', { distinct: 'pin' }, 'distinct.pin may not be read.'],
    ['user.groupBy', { by: ['pin'] }, 'by.0.pin may not be read.'],
    ['user.findMany', { where: { pin: '1' } }, 'where.pin may not be used to filter.'],
    ['user.findMany', { orderBy: { pin: 'asc' } }, 'orderBy.pin may not be used to sort.'],
    ['user.groupBy', { by: ['id'], having: { pin: '1' } }, 'having.pin may not be used to filter.'],
    ['user.create', { data: { loginCount: 1 } }, 'data.loginCount may not be written.'],
    ['user.update', { where: { id: 1 }, data: { loginCount: { increment: 1 } } }, 'data.loginCount may not be written.'],
    ['user.update', { where: { id: 1 }, data: { locale: 'de' } }, 'data.locale may not be written.'],
    ['post.create', { data: { author: { create: { loginCount: 1 } } } }, 'data.author.create.loginCount may not be written.'],
    [
      'user.findMany',
      { where: { phone: { contains: '1' } } },
      'where.phone.contains may not be used to filter; the field is open to equals, in.',
    ],
    ['user.findMany', { where: { phone: { not: '1' } } }, 'where.phone.not may not be used to filter; the field is open to equals, in.'],
    [
      'user.findMany',
      { where: { OR: [{ phone: { gt: '1' } }] } },
      'where.OR.0.phone.gt may not be used to filter; the field is open to equals, in.',
    ],
    [
      'user.groupBy',
      { by: ['id'], having: { phone: { _min: { gt: '1' } } } },
      'having.phone._min.gt may not be used to filter; the field is open to equals, in.',
    ],
    [
      'user.findMany',
      { orderBy: { _relevance: { fields: 'phone', search: 'x', sort: 'asc' } } },
      'orderBy._relevance.fields may not be searched.',
    ],
    ['comment.update', { where: { id: 1 }, data: { postId: 2 } }, 'data.postId may not be written.'],
    ['comment.update', { where: { id: 1 }, data: { post: { connect: { id: 2 } } } }, 'data.post may not be written.'],
    [
      'post.update',
      { where: { id: 1 }, data: { comments: { connect: { id: 2 } } } },
      'data.comments.connect writes the key of Comment, which is closed.',
    ],
    ['post.update', { where: { id: 1 }, data: { comments: { set: [] } } }, 'data.comments.set writes the key of Comment, which is closed.'],
    ['user.update', { where: { id: 1 }, data: { badges: { connect: { id: 2 } } } }, 'data.badges may not be written.'],
  ])('refuse %s %j', (call, args, sentence) => {
    expect(refusal(call, args)).toBe(`400 ${sentence}`);
  });

  it.each<[string, Record<string, unknown>]>([
    ['user.create', { data: { email: 'a', name: 'b', pin: '1', locale: 'de' } }],
    ['user.findMany', { where: { phone: { in: ['1'] } } }],
    ['user.findMany', { where: { phone: '1', AND: { phone: { equals: null } } } }],
    ['user.findMany', { where: { loginCount: { gt: 1 } }, orderBy: { loginCount: 'desc' } }],
    ['post.update', { where: { id: 1 }, data: { comments: { create: { id: 1, body: 'x' } } } }],
    ['user.update', { where: { id: 1 }, data: { comments: { connect: { id: 1 } } } }],
    ['tag.update', { where: { id: 1 }, data: { posts: { set: [{ id: 1 }] } } }],
  ])('allow %s %j', (call, args) => {
    expect(refusal(call, args)).toBe('accepted');
  });
});

describe('closed actions', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['letter.findMany', {}, 'letter.findMany: Letter is closed to read.'],
    ['letter.count', {}, 'letter.count: Letter is closed to read.'],
    ['letter.update', { where: { id: 1 }, data: {} }, 'letter.update: Letter is closed to update.'],
    ['letter.create', { data: { id: 1, text: 'x' }, select: { text: true } }, 'select: Letter is closed to read.'],
    ['seal.create', { data: {} }, 'seal.create: Seal is closed to create.'],
    ['seal.deleteMany', { where: {} }, 'seal.deleteMany: Seal is closed to delete.'],
    ['seal.upsert', { where: { id: 1 }, create: {}, update: {} }, 'seal.upsert: Seal is closed to create.'],
    ['user.update', { where: { id: 1 }, data: { letters: { connect: { id: 1 } } } }, 'data.letters.connect: Letter is closed to update.'],
    ['user.update', { where: { id: 1 }, data: { letters: { deleteMany: {} } } }, 'data.letters.deleteMany: Letter is closed to delete.'],
    [
      'user.update',
      { where: { id: 1 }, data: { letters: { updateMany: { where: {}, data: {} } } } },
      'data.letters.updateMany: Letter is closed to update.',
    ],
    [
      'user.update',
      { where: { id: 1 }, data: { seals: { create: { id: 1, name: 'x' } } } },
      'data.seals.create: Seal is closed to create.',
    ],
    [
      'user.update',
      { where: { id: 1 }, data: { seals: { createMany: { data: [] } } } },
      'data.seals.createMany: Seal is closed to create.',
    ],
    ['user.update', { where: { id: 1 }, data: { seals: { delete: { id: 1 } } } }, 'data.seals.delete: Seal is closed to delete.'],
    [
      'user.update',
      { where: { id: 1 }, data: { seals: { upsert: { where: { id: 1 }, create: {}, update: {} } } } },
      'data.seals.upsert: Seal is closed to create.',
    ],
    [
      'user.create',
      { data: { seals: { connectOrCreate: { where: { id: 1 }, create: {} } } } },
      'data.seals.connectOrCreate: Seal is closed to create.',
    ],
  ])('refuse %s %j', (call, args, sentence) => {
    expect(refusal(call, args)).toBe(`403 ${sentence}`);
  });

  it('return the key alone from a create where the model may not be read', () => {
    expect(planned('letter.create', { data: { id: 1, text: 'x' } })).toEqual({ data: { id: 1, text: 'x' }, select: { id: true } });
    expect(planned('letter.createMany', { data: [{ id: 1, text: 'x' }] })).toEqual({ data: [{ id: 1, text: 'x' }] });
  });

  it.each([
    ['include', { include: { letters: true } }],
    ['_count', { select: { _count: { select: { letters: true } } } }],
    ['where', { where: { letters: { some: {} } } }],
    ['orderBy', { orderBy: { letters: { _count: 'asc' } } }],
  ])('close every relation to the model to %s', (_, args) => {
    expect(refusal('user.findMany', args)).toMatch(/^400 \S*\.letters may not be /);
  });

  it('allow nested creates', () => {
    expect(refusal('user.update', { where: { id: 1 }, data: { letters: { create: { id: 1, text: 'x' } } } })).toBe('accepted');
  });
});
