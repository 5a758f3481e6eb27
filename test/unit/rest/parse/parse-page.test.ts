import { describe, expect, it } from '@jest/globals';
import { collectionQuery, problemsOf, readContext } from '../read-fixture.js';
import { errorOf } from '../write-fixture.js';

const context = readContext();

const KNOWN = 'only page[offset] with page[limit], page[number] with page[size], and page[size] with page[after] and page[before].';

function mixed(name: string, other: string): string {
  return `invalid-page at ${name}: ${name} does not go with ${other}: use page[offset] with page[limit], or page[number] with page[size].`;
}

describe('page', () => {
  it.each([
    ['', { offset: 0, limit: 100 }],
    ['page[limit]=5', { offset: 0, limit: 5 }],
    ['page[offset]=10', { offset: 10, limit: 100 }],
    ['page[offset]=0&page[limit]=1000', { offset: 0, limit: 1000 }],
    ['page[number]=1', { offset: 0, limit: 100, numbered: true }],
    ['page[size]=5', { kind: 'cursor', size: 5, isSized: true }],
    ['page[size]=1', { kind: 'cursor', size: 1, isSized: true }],
    ['page[size]=1000', { kind: 'cursor', size: 1000, isSized: true }],
    ['page[size]=007', { kind: 'cursor', size: 7, isSized: true }],
    ['page[after]=x', { kind: 'cursor', size: 100, isSized: false, after: { parameter: 'page[after]', text: 'x' } }],
    ['page[before]=x', { kind: 'cursor', size: 100, isSized: false, before: { parameter: 'page[before]', text: 'x' } }],
    [
      'page[after]=x&page[before]=y',
      {
        kind: 'cursor',
        size: 1000,
        isSized: false,
        after: { parameter: 'page[after]', text: 'x' },
        before: { parameter: 'page[before]', text: 'y' },
      },
    ],
    ['page[size]=5&page[number]=3', { offset: 10, limit: 5, numbered: true }],
    ['page[number]=21474837', { offset: 2_147_483_600, limit: 100, numbered: true }],
  ])('reads %s', (search, page) => {
    expect(collectionQuery(context, 'Post', search).page).toEqual(page);
  });

  it("has cursors by default with the option pagination: 'cursor'", () => {
    const cursors = readContext({ resources: { Post: { pagination: 'cursor' } } });
    expect(collectionQuery(cursors, 'Post').page).toEqual({ kind: 'cursor', size: 100, isSized: false });
    expect(collectionQuery(cursors, 'Post', 'page[limit]=5').page).toEqual({ offset: 0, limit: 5 });
    expect(collectionQuery(cursors, 'User').page).toEqual({ offset: 0, limit: 100 });
  });

  it('has no limit where the page size is Infinity, unless the request has page[limit]', () => {
    const endless = readContext({ settings: { pageSize: Infinity, maxPageSize: Infinity } });
    expect(collectionQuery(endless, 'Post').page).toEqual({ offset: 0, limit: Infinity });
    expect(collectionQuery(endless, 'Post', 'page[limit]=3').page).toEqual({ offset: 0, limit: 3 });
  });

  it('is the only page where the page size is Infinity, unless the request has page[size]', () => {
    const endless = readContext({ settings: { pageSize: Infinity, maxPageSize: Infinity } });
    expect(collectionQuery(endless, 'Post', 'page[number]=1').page).toEqual({ offset: 0, limit: Infinity, numbered: true });
    expect(collectionQuery(endless, 'Post', 'page[number]=2&page[size]=3').page).toEqual({ offset: 3, limit: 3, numbered: true });
    expect(problemsOf(() => collectionQuery(endless, 'Post', 'page[number]=2'))).toEqual([
      'invalid-page at page[number]: page[number] needs page[size]: without it, one page has all.',
    ]);
  });

  it.each(['-1', '0', '1e3', 'NaN', 'Infinity', '1abc', '', ' 1', '+1', '1.5'])('refuses page[number]=%s', (value) => {
    const [problem] = problemsOf(() => collectionQuery(context, 'Post', `page[number]=${encodeURIComponent(value)}`));
    expect(problem).toMatch(/^invalid-page at page\[number\]: '.*' is no page number/);
  });

  it.each(['-1', '0', '1e3', 'NaN', 'Infinity', '1abc', '', ' 1', '+1', '1.5', '0x10'])('refuses page[limit]=%s', (value) => {
    const [problem] = problemsOf(() => collectionQuery(context, 'Post', `page[limit]=${encodeURIComponent(value)}`));
    expect(problem).toMatch(/^invalid-page at page\[limit\]: '.*' is no page size/);
  });

  it.each(['-1', '0', '1e3', 'NaN', 'Infinity', '1abc', 'a1', '', ' 1', '+1', '1.5'])('refuses page[size]=%s', (value) => {
    const [problem] = problemsOf(() => collectionQuery(context, 'Post', `page[size]=${encodeURIComponent(value)}`));
    expect(problem).toMatch(/^invalid-page at page\[size\]: '.*' is no page size/);
  });

  it('has the largest size in the meta of an error', () => {
    expect(errorOf(() => collectionQuery(context, 'Post', 'page[size]=1001'))).toMatchObject({
      problems: [{ meta: { page: { maxSize: 1000 } } }],
    });
  });

  it.each(['9'.repeat(18), '9'.repeat(400)])('names the highest page number and the largest page size: %s', (value) => {
    const searches = [`page[number]=${value}`, `page[size]=${value}`, `page[limit]=${value}`];
    expect(searches.flatMap((search) => problemsOf(() => collectionQuery(context, 'Post', search)))).toEqual([
      'invalid-page at page[number]: Pages of 100 resources have numbers from 1 to 21474837.',
      'limit-exceeded at page[size]: A page has at most 1000 resources (rest.maxPageSize).',
      'limit-exceeded at page[limit]: A page has at most 1000 resources (rest.maxPageSize).',
    ]);
  });

  it.each(['-1', '1e3', 'NaN', '1abc', '', '2147483648', '9'.repeat(400)])('refuses page[offset]=%s', (value) => {
    const [problem] = problemsOf(() => collectionQuery(context, 'Post', `page[offset]=${value}`));
    expect(problem).toMatch(/^invalid-page at page\[offset\]: '.*' is no offset/);
  });

  it.each([
    ['page[sice]=1', `invalid-page at page[sice]: There is no 'page[sice]', ${KNOWN} Did you mean 'size'?`],
    ['page[limt]=1', `invalid-page at page[limt]: There is no 'page[limt]', ${KNOWN} Did you mean 'limit'?`],
    ['page=1', `invalid-page at page: There is no 'page', ${KNOWN}`],
    ['page[limit][x]=1', `invalid-page at page[limit][x]: There is no 'page[limit][x]', ${KNOWN} Did you mean 'limit'?`],
    ['page[constructor]=1', `invalid-page at page[constructor]: There is no 'page[constructor]', ${KNOWN}`],
    ['page[size]=1001', 'limit-exceeded at page[size]: A page has at most 1000 resources (rest.maxPageSize).'],
    ['page[number]=1&page[number]=1', 'invalid-page at page[number]: page[number] is given twice.'],
    ['page[number]=21474838', 'invalid-page at page[number]: Pages of 100 resources have numbers from 1 to 21474837.'],
    ['page[number]=999999999999999', 'invalid-page at page[number]: Pages of 100 resources have numbers from 1 to 21474837.'],
    ['page[size]=2&page[number]=0', "invalid-page at page[number]: '0' is no page number: it must be an integer from 1."],
    [
      'page[after]=x&page[limit]=2',
      'invalid-page at page[limit]: page[limit] does not go with cursors: use page[size] with page[after] and page[before], or page[offset] with page[limit], or page[number] with page[size].',
    ],
    ['page[offset]=2&page[number]=1', mixed('page[number]', 'page[offset]')],
    ['page[number]=1&page[offset]=0', mixed('page[offset]', 'page[number]')],
    ['page[size]=2&page[limit]=2', mixed('page[limit]', 'page[size]')],
    ['page[offset]=2&page[size]=2', mixed('page[size]', 'page[offset]')],
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
