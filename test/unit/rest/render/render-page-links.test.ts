import { renderChecked } from '../render-fixture.js';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../reference-writer.js';
import { sample } from '../../../support/sample.js';
import { collectionQuery, errorOf, readContext } from '../read-fixture.js';

const BASE = 'https://api.example/rest/tag';

interface Collection {
  readonly total?: number;
  readonly rows?: number;
  readonly context?: ReturnType<typeof readContext>;
}

function render(search: string, { total, rows = 0, context = readContext() }: Collection): Document {
  const found = Array.from({ length: rows }, (_, id) => ({ id, name: 'x' }));
  return renderChecked(collectionQuery(context, 'Tag', search), { rows: found, total }, context);
}

/** Links but `self`, as `offset/limit`. */
function offsets(search: string, collection: Collection): Record<string, string | null> {
  const links = Object.entries(render(search, collection).links) as [string, string | null][];
  return Object.fromEntries(links.filter(([name]) => name !== 'self').map(([name, link]) => [name, link && place(link)]));
}

function place(link: string): string {
  const query = new URL(link).searchParams;
  return `${query.get('page[offset]')}/${query.get('page[limit]')}`;
}

describe('page links (PG-01 to PG-03)', () => {
  it.each([
    ['', { total: 0 }, { first: '0/100', last: '0/100', prev: null, next: null }],
    ['', { total: 100 }, { first: '0/100', last: '0/100', prev: null, next: null }],
    ['', { total: 101 }, { first: '0/100', last: '100/100', prev: null, next: '100/100' }],
    ['page[limit]=5&page[offset]=5', { total: 12 }, { first: '0/5', last: '10/5', prev: '0/5', next: '10/5' }],
    ['page[limit]=5&page[offset]=10', { total: 12 }, { first: '0/5', last: '10/5', prev: '5/5', next: null }],
    ['page[limit]=5&page[offset]=3', { total: 12 }, { first: '0/5', last: '10/5', prev: '0/5', next: '8/5' }],
    ['page[limit]=5&page[offset]=1000', { total: 12 }, { first: '0/5', last: '10/5', prev: '10/5', next: null }],
    ['page[limit]=5&page[offset]=1000', { total: 0 }, { first: '0/5', last: '0/5', prev: '0/5', next: null }],
  ])('%s of %j', (search, collection, links) => {
    expect(offsets(search, collection)).toEqual(links);
  });

  it.each([
    ['page[number]=1', { total: 0 }, { first: '1/100', last: '1/100', prev: null, next: null }],
    ['page[number]=2&page[size]=5', { total: 12 }, { first: '1/5', last: '3/5', prev: '1/5', next: '3/5' }],
    ['page[size]=5&page[number]=1', { total: 12 }, { first: '1/5', last: '3/5', prev: null, next: '2/5' }],
    ['page[size]=5&page[number]=1000', { total: 12 }, { first: '1/5', last: '3/5', prev: '3/5', next: null }],
    ['page[size]=5&page[number]=1000', { total: 0 }, { first: '1/5', last: '1/5', prev: '1/5', next: null }],
  ])('have the names that the client gave: %s of %j', (search, collection, links) => {
    const rendered = Object.entries(render(search, collection).links).filter(([name]) => name !== 'self');
    const numberAndSize = (link: string): string => {
      const { searchParams } = new URL(link);
      expect([...searchParams.keys()]).toEqual(['page[number]', 'page[size]']);
      return `${searchParams.get('page[number]')}/${searchParams.get('page[size]')}`;
    };
    expect(Object.fromEntries(rendered.map(([name, link]) => [name, link && numberAndSize(link)]))).toEqual(links);
  });

  it('keep every other parameter, percent-encoded, and have the query in self (LK-09)', () => {
    const { links } = render('filter[name$contains]=a+b,ü&page[limit]=1&sort=-name&custom-X=1', { total: 2, rows: 1 });
    expect(links.self).toBe(`${BASE}?filter%5Bname%24contains%5D=a+b%2C%C3%BC&page%5Blimit%5D=1&sort=-name&custom-X=1`);
    expect(links.next).toBe(`${BASE}?filter%5Bname%24contains%5D=a+b%2C%C3%BC&sort=-name&custom-X=1&page%5Boffset%5D=1&page%5Blimit%5D=1`);
  });

  it('have no total and no last without a count, and next where there is one row more than the page', () => {
    const context = readContext({ settings: { count: 'none' } });
    const more = render('page[limit]=2', { rows: 3, context });
    expect(more.data).toHaveLength(2);
    expect(more).not.toHaveProperty('meta');
    expect(offsets('page[limit]=2', { rows: 3, context })).toEqual({ first: '0/2', prev: null, next: '2/2' });
    expect(offsets('page[limit]=2&page[offset]=2', { rows: 2, context })).toEqual({ first: '0/2', prev: '0/2', next: null });
  });

  it('have self alone where pagination is off, with the number of rows as total', () => {
    const context = readContext({ settings: { pageSize: Infinity, maxPageSize: Infinity } });
    const document = render('', { rows: 3, context });
    expect(document.links).toEqual({ self: BASE });
    expect(document.meta).toEqual({ total: 3 });
  });

  it('refuses more rows than the limit where pagination is off', () => {
    const context = readContext({ settings: { pageSize: Infinity, maxPageSize: Infinity }, limits: { maxTake: 2 } });
    expect(errorOf(() => render('', { rows: 3, context })).problems).toEqual([
      { code: 'limit-exceeded', detail: 'An answer holds at most 2 resources (limits.maxTake).' },
    ]);
  });

  it('lead from the first page through all rows, each once', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.integer({ min: 1, max: 20 }), (total, limit) => {
        const seen: number[] = [];
        let link: string | null | undefined = `${BASE}?page[limit]=${limit}`;
        while (link) {
          const { searchParams }: URL = new URL(link);
          const offset = Number(searchParams.get('page[offset]') ?? 0);
          const rows = Math.max(0, Math.min(limit, total - offset));
          seen.push(...Array.from({ length: rows }, (_, index) => offset + index));
          ({ next: link } = render(searchParams.toString(), { total, rows }).links);
        }
        expect(seen).toEqual(Array.from({ length: total }, (_, index) => index));
      }),
      { numRuns: sample.choose(10, 50) },
    );
  });

  it('keep any value of any parameter in a link', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const search = new URLSearchParams([['filter[name]', text.replaceAll(/[\0\p{Surrogate}]/gu, '')]]).toString();
        const context = readContext();
        const before = collectionQuery(context, 'Tag', search);
        const { links } = renderChecked(before, { rows: [], total: 500 }, context);
        for (const link of [links.self, links.first ?? '', links.next ?? '']) {
          expect(collectionQuery(context, 'Tag', new URL(link).search.slice(1)).filter).toEqual(before.filter);
        }
      }),
      { numRuns: sample.choose(40, 200) },
    );
  });
});
