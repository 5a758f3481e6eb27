import { describe, expect, it } from '@jest/globals';
import { refusal } from '../publisher.js';

describe('an unknown key', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['post.findMany', { wher: {} }, "Unknown argument wher. Did you mean 'where'?"],
    ['post.findMany', { having: {} }, 'Unknown argument having.'],
    ['post.findMany', { meta: {} }, 'Unknown argument meta.'],
    ['post.findMany', { '': {} }, "Unknown argument ''."],
    ['post.findMany', { where: { '': 1 } }, "Unknown argument where.''."],
    ['post.count', { distinct: ['id'] }, 'Unknown argument distinct.'],
    ['post.createMany', { data: [], select: { id: true } }, 'Unknown argument select.'],
    ['post.aggregate', { select: { _count: true } }, 'Unknown argument select.'],
    ['post.findMany', { where: { author: { is: { emial: 'x' } } } }, "Unknown argument where.author.is.emial. Did you mean 'email'?"],
    ['post.findMany', { where: { title: { containz: 'x' } } }, "Unknown argument where.title.containz. Did you mean 'contains'?"],
    ['post.findMany', { where: { title: { not: { like: 'x' } } } }, 'Unknown argument where.title.not.like.'],
    ['post.findMany', { where: { tags: { any: {} } } }, 'Unknown argument where.tags.any.'],
    ['post.findMany', { where: { tags: { name: 'x' } } }, 'Unknown argument where.tags.name.'],
    ['post.findMany', { where: { viewCount: { contains: '1' } } }, 'Unknown argument where.viewCount.contains.'],
    ['post.findMany', { where: { ref: { contains: '1' } } }, 'Unknown argument where.ref.contains.'],
    ['post.findMany', { where: { metadata: { a: 1 } } }, 'Unknown argument where.metadata.a.'],
    ['post.findMany', { where: { and: [] } }, "Unknown argument where.and. Did you mean 'AND'?"],
    [
      'post.findUnique',
      { where: { title_authorId: { title: 'x', autorId: 1 } } },
      "Unknown argument where.title_authorId.autorId. Did you mean 'authorId'?",
    ],
    ['post.findMany', { orderBy: { tite: 'asc' } }, "Unknown argument orderBy.tite. Did you mean 'title'?"],
    [
      'post.findMany',
      { orderBy: { reviewerId: { sort: 'asc', null: 'last' } } },
      "Unknown argument orderBy.reviewerId.null. Did you mean 'nulls'?",
    ],
    ['post.findMany', { orderBy: { tags: { _sum: 'asc' } } }, 'Unknown argument orderBy.tags._sum.'],
    ['post.findMany', { select: { autor: true } }, "Unknown argument select.autor. Did you mean 'author'?"],
    ['post.findMany', { include: { author: { take: 1 } } }, 'Unknown argument include.author.take.'],
    ['post.findMany', { include: { tags: { having: {} } } }, 'Unknown argument include.tags.having.'],
    ['post.findMany', { include: { author: { where: {} } } }, 'Unknown argument include.author.where.'],
    ['post.findMany', { include: { _count: { tags: true } } }, 'Unknown argument include._count.tags.'],
    ['post.findMany', { include: { _count: { select: { author: true } } } }, 'Unknown argument include._count.select.author.'],
    ['post.findMany', { include: { _count: { select: { tags: { take: 1 } } } } }, 'Unknown argument include._count.select.tags.take.'],
    ['post.groupBy', { by: ['autorId'] }, "Unknown argument by.0.autorId. Did you mean 'authorId'?"],
    ['post.groupBy', { by: ['author'] }, "Unknown argument by.0.author. Did you mean 'authorId'?"],
    ['post.aggregate', { _avg: { title: true } }, 'Unknown argument _avg.title.'],
    ['post.aggregate', { _min: { metadata: true } }, 'Unknown argument _min.metadata.'],
    ['post.aggregate', { _sum: { _all: true } }, 'Unknown argument _sum._all.'],
    ['post.create', { data: { titel: 'x' } }, "Unknown argument data.titel. Did you mean 'title'?"],
    ['post.create', { data: { author: { conect: { id: 1 } } } }, "Unknown argument data.author.conect. Did you mean 'connect'?"],
    ['post.create', { data: { author: { update: {} } } }, 'Unknown argument data.author.update.'],
    ['post.update', { where: { id: 1 }, data: { author: { delete: true } } }, 'Unknown argument data.author.delete.'],
    ['post.update', { where: { id: 1 }, data: { author: { set: [] } } }, 'Unknown argument data.author.set.'],
    [
      'post.update',
      { where: { id: 1 }, data: { tags: { createMany: { data: [] } } } },
      "Unknown argument data.tags.createMany. Did you mean 'updateMany'?",
    ],
    ['post.update', { where: { id: 1 }, data: { title: { increment: 1 } } }, 'Unknown argument data.title.increment.'],
    ['post.update', { where: { id: 1 }, data: { keywords: { append: 'x' } } }, 'Unknown argument data.keywords.append.'],
    [
      'user.update',
      { where: { id: 1 }, data: { posts: { upsert: { where: { id: 1 }, data: {} } } } },
      'Unknown argument data.posts.upsert.data.',
    ],
    ['post.findMany', { ['x'.repeat(100)]: 1 }, `Unknown argument ${'x'.repeat(60)}….`],
  ])('of %s %j is refused with its path', (call, args, sentence) => {
    expect(refusal(call, args)).toBe(`400 ${sentence}`);
  });
});

describe('a write of many records that returns them', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['post.createManyAndReturn', { data: [], include: { tags: true } }, '400 include.tags is not returned by a write of many records.'],
    ['post.createManyAndReturn', { data: [], select: { _count: true } }, '400 select._count is not returned by a write of many records.'],
    ['post.updateManyAndReturn', { where: {}, data: { title: 'x' }, include: { author: true, _count: false } }, 'accepted'],
  ])('refuses selections that its statement cannot return: %s %j', (call, args, expected) => {
    expect(refusal(call, args)).toBe(expected);
  });
});
