import { describe, expect, it } from '@jest/globals';
import type { SortKey } from '../../../../lib/rest/parse/resource-query.js';
import { collectionQuery, problemsOf, readContext } from '../read-fixture.js';

const context = readContext();

function print(key: SortKey): string {
  const end = key.kind === 'attribute' ? key.attribute.name : `count(${key.relationship.name})`;
  return `${[...key.path.map(({ name }) => name), end].join('.')} ${key.direction}`;
}

function read(sort: string, model = 'Post'): string[] {
  return collectionQuery(context, model, `sort=${sort}`).sort.map(print);
}

describe('sort', () => {
  it.each([
    ['', []],
    ['title', ['title asc']],
    ['-views,title', ['views desc', 'title asc']],
    ['id', ['id asc']],
    ['-author.name', ['author.name desc']],
    ['author.manager.email', ['author.manager.email asc']],
    ['author.id', ['author.id asc']],
    ['-author', ['author.id desc']],
    ['author.manager', ['author.manager.id asc']],
    ['-comments.$count', ['count(comments) desc']],
    ['author.posts.$count', ['author.count(posts) asc']],
  ])('reads %s', (sort, keys) => {
    expect(read(sort)).toEqual(keys);
  });

  it('sorts by all fields of a compound id', () => {
    expect(read('-id', 'Line')).toEqual(['orderId desc', 'sku desc']);
  });

  it.each([
    ['titel', "invalid-sort at sort: post has no field 'titel', at position 1. Did you mean 'title'?"],
    ['views,-titel', "invalid-sort at sort: post has no field 'titel', at position 8. Did you mean 'title'?"],
    ['a,,b', ["post has no field 'a', at position 1.", "post has no field '', at position 3.", "post has no field 'b', at position 4."]],
    ['+title', "invalid-sort at sort: post has no field ' title', at position 1. Did you mean 'title'?"],
    ['comments', "invalid-sort at sort: 'comments' at position 1 is a relationship: sort by its number, 'comments.$count'."],
    ['comments.body', "invalid-sort at sort: 'comments' at position 1 is a to-many relationship: sort by its number, 'comments.$count'."],
    [
      'comments.$count.x',
      "invalid-sort at sort: 'comments' at position 1 is a to-many relationship: sort by its number, 'comments.$count'.",
    ],
    ['author.pinn', "invalid-sort at sort: user has no field 'pinn', at position 8."],
    ['author.$count', "invalid-sort at sort: user has no field '$count', at position 8."],
    ['title.x', "invalid-sort at sort: 'title' at position 1 is no relationship."],
    ['author.passwordHash', "invalid-sort at sort: user has no field 'passwordHash', at position 8."],
    ['author.pin', "invalid-sort at sort: 'pin' at position 8 cannot be sorted by."],
    ['title,-title', "invalid-sort at sort: 'title' at position 8 is sorted by already."],
  ])('refuses %s', (sort, problem) => {
    const expected = typeof problem === 'string' ? [problem] : problem.map((detail) => `invalid-sort at sort: ${detail}`);
    expect(problemsOf(() => collectionQuery(context, 'Post', `sort=${sort}`))).toEqual(expected);
  });

  it('does not sort by a compound id with a field that is closed for sorting', () => {
    const closed = readContext({ resources: { Line: { fields: { sku: { sort: false } } } } });
    expect(problemsOf(() => collectionQuery(closed, 'Line', 'sort=id'))).toEqual([
      "invalid-sort at sort: line has no field 'id', at position 1.",
    ]);
  });

  it('takes no selectors', () => {
    expect(problemsOf(() => collectionQuery(context, 'Post', 'sort[title]=asc'))).toEqual([
      "invalid-sort at sort[title]: There is no 'sort[title]', only sort.",
    ]);
  });

  it('limits the length of a path and the number of keys', () => {
    const path = `${'author.manager.'.repeat(6)}name`;
    expect(problemsOf(() => collectionQuery(context, 'Post', `sort=${path}`))).toEqual([
      'limit-exceeded at sort: A sort has at most 10 names in a path (limits.maxDepth).',
    ]);
    const keys = Array.from({ length: 101 }, () => 'title').join(',');
    expect(problemsOf(() => collectionQuery(context, 'Post', `sort=${keys}`))).toEqual([
      'limit-exceeded at sort: A sort has at most 100 keys (limits.maxFilterTerms).',
    ]);
  });

  it('keeps closed fields and relations closed', () => {
    const closed = readContext({ resources: { User: { fields: { name: { sort: false } } }, Comment: { actions: ['create'] } } });
    expect(problemsOf(() => collectionQuery(closed, 'Post', 'sort=author.name'))).toEqual([
      "invalid-sort at sort: 'name' at position 8 cannot be sorted by.",
    ]);
    expect(problemsOf(() => collectionQuery(closed, 'Post', 'sort=comments.$count'))).toEqual([
      "invalid-sort at sort: 'comments' at position 1 cannot be sorted by.",
    ]);
  });
});
