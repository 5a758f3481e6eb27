import { describe, expect, it } from '@jest/globals';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { isObserved, neededRules } from '../../../lib/rules/required-rules.js';
import { compileSoftDeletes, NO_SOFT_DELETES } from '../../../lib/rules/soft-deletes.js';
import type { RowAction, RowHooks } from '../../../lib/rules/write-observer.js';
import { schemaOf } from '../rpc/model-of.js';
import { queryOf } from '../rpc/publisher.js';

type Args = Record<string, unknown>;

function needed(call: string, args: Args): readonly string[] {
  return neededRules([queryOf(call, args)])
    .map(({ model, name }) => `${model}.${name}`)
    .toSorted();
}

const KEY = { id: 1 };

describe('the rules that a query may need', () => {
  it.each<[string, Args, readonly string[]]>([
    ['post.findMany', {}, ['Post.read']],
    ['post.findMany', { where: { author: { name: 'x' } } }, ['Post.read', 'User.read']],
    ['post.findMany', { orderBy: { author: { name: 'asc' } } }, ['Post.read', 'User.read']],
    ['post.findMany', { select: { id: true, tags: { select: { posts: true } } } }, ['Post.read', 'Tag.read']],
    ['user.findMany', { select: { _count: { select: { posts: true } } } }, ['Post.read', 'User.read']],
    ['tag.create', { data: { id: 1, name: 'x' } }, ['Tag.create', 'Tag.read']],
    ['tag.update', { where: KEY, data: { name: 'x' } }, ['Tag.check', 'Tag.read', 'Tag.using']],
    ['tag.delete', { where: KEY }, ['Tag.delete', 'Tag.read']],
    ['tag.upsert', { where: KEY, create: { id: 1, name: 'x' }, update: {} }, ['Tag.check', 'Tag.create', 'Tag.read', 'Tag.using']],
    [
      'user.update',
      { where: KEY, data: { posts: { delete: { id: 1, comments: { some: { body: 'x' } } } } } },
      ['Comment.read', 'Post.delete', 'Post.read', 'User.check', 'User.read', 'User.using'],
    ],
    // A connect takes the user away from another profile.
    [
      'profile.create',
      { data: { id: 1, user: { connect: KEY } } },
      ['Profile.check', 'Profile.create', 'Profile.read', 'Profile.using', 'User.read'],
    ],
  ])('are those of %s of %j', (call, args, rules) => {
    expect(needed(call, args)).toEqual(rules);
  });

  it('are each named once for several queries', () => {
    const queries = [queryOf('post.findMany', {}), queryOf('post.count', {}), queryOf('tag.delete', { where: KEY })];
    expect(neededRules(queries)).toHaveLength(3);
  });
});

/** A post is deleted with its comments, these with their votes, and a vote with its post again. */
const storage = buildStorage(
  schemaOf(`
model Post {
  id        Int       @id
  deletedAt DateTime?
  comments  Comment[]
  votes     Vote[]
}
model Comment {
  id        Int       @id
  deletedAt DateTime?
  post      Post      @relation(fields: [postId], references: [id])
  postId    Int
  votes     Vote[]
}
model Vote {
  id        Int       @id
  deletedAt DateTime?
  comment   Comment   @relation(fields: [commentId], references: [id])
  commentId Int
  post      Post      @relation(fields: [postId], references: [id])
  postId    Int
}
`),
);
const softDeletes = compileSoftDeletes(
  {
    Post: { softDelete: { field: 'deletedAt', cascade: ['comments'] } },
    Comment: { softDelete: { field: 'deletedAt', cascade: ['votes'] } },
    Vote: { softDelete: { field: 'deletedAt', cascade: ['post'] } },
  },
  storage,
);

/** Hooks on one kind of write of a model. */
function hooksOn(model: string, action: RowAction): RowHooks {
  return {
    has: (name, kind) => name === model && kind === action,
    begin: () => {
      throw new Error('No write begins here.');
    },
  };
}

describe('whether hooks observe writes of the rules that are needed', () => {
  it.each<[RowAction, 'create' | 'using' | 'delete' | 'read' | 'check', boolean]>([
    ['create', 'create', true],
    ['update', 'using', true],
    ['delete', 'delete', true],
    ['create', 'read', false],
    ['update', 'check', false],
    ['update', 'delete', false],
    ['delete', 'using', false],
  ])('a hook on %s, with the rule %s: %s', (action, name, expected) => {
    expect(isObserved(hooksOn('Post', action), [{ model: 'Post', name }], NO_SOFT_DELETES)).toBe(expected);
    expect(isObserved(hooksOn('Post', action), [{ model: 'Vote', name }], NO_SOFT_DELETES)).toBe(false);
  });

  it('includes the rows that a soft delete cascades to, at any depth and through cycles', () => {
    const isOnDelete = (model: string, name: 'delete' | 'using', of = softDeletes): boolean =>
      isObserved(hooksOn('Vote', 'delete'), [{ model, name }], of);
    expect([isOnDelete('Post', 'delete'), isOnDelete('Comment', 'delete'), isOnDelete('Post', 'using')]).toEqual([true, true, false]);
    expect(isOnDelete('Post', 'delete', NO_SOFT_DELETES)).toBe(false);
    expect(isObserved(hooksOn('Vote', 'update'), [{ model: 'Post', name: 'delete' }], softDeletes)).toBe(false);
  });
});
