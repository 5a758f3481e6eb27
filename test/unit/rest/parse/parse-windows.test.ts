import { describe, expect, it } from '@jest/globals';
import type { PlannedWindow } from '../../../../lib/rest/projection/page.js';
import type { ProjectedRelationship, Projection } from '../../../../lib/rest/projection/projection.js';
import { collectionQuery, problemsOf, readContext, relatedQuery } from '../read-fixture.js';

const context = readContext();

function relationshipsOf(projection: Projection | undefined): readonly ProjectedRelationship[] {
  return projection === undefined || projection.kind === 'key' ? [] : projection.relationships;
}

/** The window of a relationship of users, by its path. */
function windowOf(search: string, path = 'posts', of = context): PlannedWindow | undefined {
  let projection: Projection | undefined = collectionQuery(of, 'User', search).projection;
  let window: PlannedWindow | undefined;
  for (const member of path.split('.')) {
    const found: ProjectedRelationship | undefined = relationshipsOf(projection).find(({ relationship }) => relationship.member === member);
    ({ window } = found ?? {});
    projection = found?.related;
  }
  return window;
}

const problems = (search: string): string[] => problemsOf(() => collectionQuery(context, 'User', search));

describe('windows of included relationships', () => {
  it.each([
    ['includePage[posts][limit]=5', { page: { offset: 0, limit: 5 }, isCounted: true, isFiltered: false }],
    ['includePage[posts][offset]=3&includePage[posts][limit]=5', { page: { offset: 3, limit: 5 }, isCounted: true, isFiltered: false }],
    ['includePage[posts][size]=5', { page: { kind: 'cursor', size: 5 }, isCounted: true, isFiltered: false }],
    ['includeSort[posts]=-title', { page: { offset: 0, limit: Infinity }, isCounted: false, isFiltered: false }],
    ['includeFilter[posts][title]=a', { page: { offset: 0, limit: Infinity }, isCounted: false, isFiltered: true }],
  ])('has the page of %s, and a total only where that is not all', (parameter, window) => {
    expect(windowOf(`include=posts&${parameter}`)).toMatchObject(window);
  });

  it("has no total with count: 'none', and cursors only where includePage has a size", () => {
    const uncounted = readContext({ settings: { count: 'none' } });
    expect(windowOf('include=posts&includePage[posts][limit]=5', 'posts', uncounted)?.isCounted).toBe(false);
    expect(collectionQuery(context, 'User', 'include=posts&includePage[posts][size]=5').hasCursors).toBe(true);
    expect(collectionQuery(context, 'User', 'include=posts&includePage[posts][limit]=5').hasCursors).toBe(false);
    expect(windowOf('include=posts,comments&includeSort[posts]=title', 'comments')).toBeUndefined();
  });

  it('is ordered and filtered by its own parameters, and not by those of the primary data', () => {
    const { rows } =
      windowOf(
        'include=posts,reports&sort=name&filter[name]=x&includeSort[posts]=-views&includeFilter[posts][title]=a&includeSort[reports]=email',
      ) ?? {};
    expect(rows?.order).toMatchObject([{ kind: 'field-term', field: { name: 'views' } }, { field: { name: 'id' } }]);
    expect(rows?.where).toMatchObject({ kind: 'compare', field: { name: 'title' }, operand: 'a' });
  });

  it.each<[string, string, string, readonly (readonly string[])[]]>([
    [
      'its sort',
      'posts',
      'include=posts&includeSort[posts]=-title',
      [
        ['sort', '-title'],
        ['include', 'posts'],
      ],
    ],
    [
      'its filters, and no page',
      'posts',
      'include=posts&includeFilter[posts][title]=a&includePage[posts][limit]=2',
      [
        ['filter[title]', 'a'],
        ['include', 'posts'],
      ],
    ],
    [
      'the fields of all types',
      'posts',
      'include=posts&includeSort[posts]=id&fields[post]=title&filter[name]=x',
      [
        ['sort', 'id'],
        ['include', 'posts'],
        ['fields[post]', 'title'],
      ],
    ],
    [
      'the windows below it, by their paths from there',
      'posts',
      'include=posts.comments,posts.tags&includeSort[posts]=id&includePage[posts.comments][limit]=2&includeSort[posts.tags]=name&includeFilter[posts.tags][name]=x',
      [
        ['sort', 'id'],
        ['includePage[posts.comments][limit]', '2'],
        ['includeSort[posts.tags]', 'name'],
        ['includeFilter[posts.tags][name]', 'x'],
        ['include', 'posts.comments,posts.tags'],
      ],
    ],
    [
      'nothing of the windows beside it or above it',
      'posts.comments',
      'include=posts.comments,posts.tags,comments&includeSort[posts]=id&includeSort[posts.comments]=body&includeSort[posts.tags]=name',
      [
        ['sort', 'body'],
        ['include', 'comments'],
      ],
    ],
  ])('links to its relationship with %s', (_, path, search, parameters) => {
    expect(windowOf(search, path)?.parameters).toEqual(parameters);
  });

  it.each([
    ['includeSort=title', 'invalid-include at includeSort: includeSort names no relationship: it is written includeSort[path].'],
    ['includeSort[]=title', "invalid-include at includeSort[]: '' is not in include."],
    ['includeSort[post]=title', "invalid-include at includeSort[post]: 'post' is not in include. Did you mean 'posts'?"],
    ['includeSort[posts.tag]=id', "invalid-include at includeSort[posts.tag]: 'posts.tag' is not in include. Did you mean 'tags'?"],
    ['includeSort[reports]=id', "invalid-include at includeSort[reports]: 'reports' is not in include."],
    ['includeSort[profile]=id', "invalid-include at includeSort[profile]: 'profile' is to-one, which has nothing to choose from."],
    ['includeSort[posts][id]=x', "invalid-sort at includeSort[posts][id]: There is no 'includeSort[posts][id]'"],
    [
      'includePage[posts][number]=1',
      "invalid-page at includePage[posts][number]: There is no 'includePage[posts][number]', only includePage[path][offset] with [limit], and includePage[path][size] with [after] and [before].",
    ],
    [
      'includePage[posts][limits]=1',
      "invalid-page at includePage[posts][limits]: There is no 'includePage[posts][limits]', only includePage[path][offset] with [limit], and includePage[path][size] with [after] and [before]. Did you mean 'limit'?",
    ],
    [
      'includePage[posts]=1',
      "invalid-page at includePage[posts]: There is no 'includePage[posts]', only includePage[path][offset] with [limit], and includePage[path][size] with [after] and [before].",
    ],
    [
      'includePage[posts][limit][x]=1',
      "invalid-page at includePage[posts][limit][x]: There is no 'includePage[posts][limit][x]', only includePage[path][offset] with [limit], and includePage[path][size] with [after] and [before].",
    ],
    ['includePage[posts][limit]=0', "invalid-page at includePage[posts][limit]: '0' is no page size: it must be an integer from 1."],
    ['includeSort[posts]=titel', "invalid-sort at includeSort[posts]: post has no field 'titel', at position 1. Did you mean 'title'?"],
    ['includeFilter[posts][titel]=x', "invalid-filter at includeFilter[posts][titel]: post has no field 'titel'"],
  ])('refuses %s', (parameter, problem) => {
    expect(problems(`include=posts.tags,profile&${parameter}`)).toEqual([expect.stringContaining(problem)]);
  });

  it('names the faults of all of them, and refuses them without include', () => {
    expect(problems('include=posts&includeSort[x]=id&includeSort[y]=id')).toHaveLength(2);
    expect(problems('includeSort[posts]=title')).toEqual(["invalid-include at includeSort[posts]: 'posts' is not in include."]);
  });

  it('refuses windows of the data of the URL of a relationship, which page, sort and filter select', () => {
    const path = ['user', '1', 'relationships', 'posts'] as const;
    expect(problemsOf(() => relatedQuery(context, path, 'include=posts&includeSort[posts]=title'))).toEqual([
      "invalid-include at includeSort[posts]: 'posts' are the data of this URL: use page, sort and filter.",
    ]);
    expect(relatedQuery(context, path, 'include=posts.tags&includeSort[posts.tags]=name').compound).toBe(true);
    expect(relatedQuery(context, ['user', '1', 'posts'], 'include=tags&includeSort[tags]=name').compound).toBe(true);
  });
});

describe('one relationship on two paths of include', () => {
  const both = 'include=manager.posts,posts';
  const refusal = (path: string, parameter: string): string =>
    `invalid-include at ${parameter}: Another path of include leads to the same relationship as '${path}', which has one linkage: give both the same.`;

  it.each([
    ['is paged on one alone', 'includePage[posts][limit]=2', ['posts', 'includePage[posts][limit]']],
    ['is sorted on one alone', 'includeSort[manager.posts]=title', ['manager.posts', 'includeSort[manager.posts]']],
    ['is filtered on one alone', 'includeFilter[posts][title]=x', ['posts', 'includeFilter[posts][title]']],
  ])('is refused where it %s', (_, parameters, [path = '', parameter = '']) => {
    expect(problems(`${both}&${parameters}`)).toEqual([refusal(path, parameter)]);
  });

  it.each([
    ['other limits', 'includePage[posts][limit]=2&includePage[manager.posts][limit]=3'],
    ['other offsets', 'includePage[posts][offset]=2&includePage[manager.posts][offset]=3'],
    ['other sizes', 'includePage[posts][size]=2&includePage[manager.posts][size]=3'],
    ['other orders', 'includeSort[posts]=title&includeSort[manager.posts]=-title'],
    ['other filters', 'includeFilter[posts][title]=a&includeFilter[manager.posts][title]=b'],
  ])('is refused on both with %s', (_, parameters) => {
    expect(problems(`${both}&${parameters}`)).toHaveLength(2);
  });

  it.each([
    'includePage[posts][limit]=2&includePage[manager.posts][limit]=2',
    'includePage[posts][size]=2&includePage[manager.posts][size]=2',
    'includeSort[posts]=title&includeSort[manager.posts]=title',
    'includeFilter[posts][title]=a&includeFilter[posts][views]=1&includeFilter[manager.posts][views]=1&includeFilter[manager.posts][title]=a',
  ])('is taken with the same on both: %s', (parameters) => {
    expect(windowOf(`${both}&${parameters}`)).toBeDefined();
  });
});
