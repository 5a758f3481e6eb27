import { describe, expect, it } from '@jest/globals';
import type { ProjectedRelationship, Projection } from '../../../../lib/rest/projection/projection.js';
import { collectionQuery, problemsOf, readContext } from '../read-fixture.js';

const context = readContext();

/** Returns the included relationships of a projection, as nested names. */
function included(projection: Projection | undefined): object {
  if (projection?.kind !== 'resource') return {};
  const related = projection.relationships.filter((one: ProjectedRelationship) => one.related?.kind === 'resource');
  return Object.fromEntries(related.map((one) => [one.relationship.name, included(one.related)]));
}

describe('include', () => {
  it.each([
    ['', {}],
    ['author', { author: {} }],
    ['author.profile,comments', { author: { profile: {} }, comments: {} }],
    ['comments.author,comments.post.tags', { comments: { author: {}, post: { tags: {} } } }],
    ['author,author,author.profile', { author: { profile: {} } }],
  ])('reads %s (IN-04)', (include, expected) => {
    expect(included(collectionQuery(context, 'Post', `include=${include}`).projection)).toEqual(expected);
  });

  it.each([
    ['autor', "invalid-include at include: post has no relationship 'autor', at position 1. Did you mean 'author'?"],
    ['author.profil', "invalid-include at include: user has no relationship 'profil', at position 8. Did you mean 'profile'?"],
    ['tags,,author', "invalid-include at include: post has no relationship '', at position 6."],
    ['title', "invalid-include at include: 'title' at position 1 is no relationship."],
    ['author.', "invalid-include at include: user has no relationship '', at position 8."],
    ['author.passwordHash', "invalid-include at include: user has no relationship 'passwordHash', at position 8."],
  ])('refuses %s, pointing at it', (include, problem) => {
    expect(problemsOf(() => collectionQuery(context, 'Post', `include=${include}`))).toEqual([problem]);
  });

  it('takes no selectors', () => {
    expect(problemsOf(() => collectionQuery(context, 'Post', 'include[author]=x'))).toEqual([
      "invalid-include at include[author]: There is no 'include[author]', only include.",
    ]);
  });

  it('limits the depth of a path, through cycles too', () => {
    const narrow = readContext({ limits: { maxIncludeDepth: 2 } });
    expect(() => collectionQuery(narrow, 'Post', 'include=author.posts')).not.toThrow();
    expect(problemsOf(() => collectionQuery(narrow, 'Post', 'include=author.posts.tags'))).toEqual([
      'limit-exceeded at include: An include path has at most 2 relationships (limits.maxIncludeDepth).',
    ]);
    expect(problemsOf(() => collectionQuery(context, 'Post', `include=${'author.posts.'.repeat(6)}tags`))).toEqual([
      'limit-exceeded at include: An include path has at most 5 relationships (limits.maxIncludeDepth).',
    ]);
  });

  it('refuses resources that are closed to readers', () => {
    const closed = readContext({ resources: { User: { actions: ['create'] } } });
    expect(problemsOf(() => collectionQuery(closed, 'Comment', 'include=author'))).toEqual([
      "forbidden at include: 'author' at position 1 cannot be read here.",
    ]);
  });

  it('refuses a relationship to a hidden resource in the words for an unknown one', () => {
    const hidden = readContext({ resources: { User: 'hidden' } });
    expect(problemsOf(() => collectionQuery(hidden, 'Post', 'include=author'))).toEqual([
      "invalid-include at include: post has no relationship 'author', at position 1.",
    ]);
  });
});
