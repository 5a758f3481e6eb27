import { describe, expect, it } from '@jest/globals';
import { collectionQuery, problemsOf, readContext } from '../read-fixture.js';

const context = readContext();

describe('page', () => {
  it.each([
    ['', { offset: 0, limit: 100 }],
    ['page[limit]=5', { offset: 0, limit: 5 }],
    ['page[offset]=10', { offset: 10, limit: 100 }],
    ['page[offset]=0&page[limit]=1000', { offset: 0, limit: 1000 }],
  ])('reads %s', (search, page) => {
    expect(collectionQuery(context, 'Post', search).page).toEqual(page);
  });

  it('has no end where pagination is off, unless a limit is asked for', () => {
    const endless = readContext({ settings: { pageSize: Infinity, maxPageSize: Infinity } });
    expect(collectionQuery(endless, 'Post').page).toEqual({ offset: 0, limit: Infinity });
    expect(collectionQuery(endless, 'Post', 'page[limit]=3').page).toEqual({ offset: 0, limit: 3 });
  });

  it.each(['-1', '0', '1e3', 'NaN', 'Infinity', '1abc', '', ' 1', '+1', '1.5', '0x10', '9'.repeat(400)])(
    'refuses page[limit]=%s',
    (value) => {
      const [problem] = problemsOf(() => collectionQuery(context, 'Post', `page[limit]=${encodeURIComponent(value)}`));
      expect(problem).toMatch(/^invalid-page at page\[limit\]: '.*' is no page size/);
    },
  );

  it.each(['-1', '1e3', 'NaN', '1abc', '', '2147483648', '9'.repeat(400)])('refuses page[offset]=%s', (value) => {
    const [problem] = problemsOf(() => collectionQuery(context, 'Post', `page[offset]=${value}`));
    expect(problem).toMatch(/^invalid-page at page\[offset\]: '.*' is no offset/);
  });

  it.each([
    ['page[size]=1', "invalid-page at page[size]: There is no 'page[size]', only page[offset] and page[limit]."],
    ['page[limt]=1', "invalid-page at page[limt]: There is no 'page[limt]', only page[offset] and page[limit]. Did you mean 'limit'?"],
    ['page=1', "invalid-page at page: There is no 'page', only page[offset] and page[limit]."],
    [
      'page[limit][x]=1',
      "invalid-page at page[limit][x]: There is no 'page[limit][x]', only page[offset] and page[limit]. Did you mean 'limit'?",
    ],
    ['page[limit]=1001', 'limit-exceeded at page[limit]: A page has at most 1000 resources (rest.maxPageSize).'],
  ])('refuses %s', (search, problem) => {
    expect(problemsOf(() => collectionQuery(context, 'Post', search))).toEqual([problem]);
  });

  it('names the narrower of the two limits', () => {
    const narrow = readContext({ limits: { maxTake: 50 } });
    expect(problemsOf(() => collectionQuery(narrow, 'Post', 'page[limit]=51'))).toEqual([
      'limit-exceeded at page[limit]: A page has at most 50 resources (limits.maxTake).',
    ]);
  });
});
