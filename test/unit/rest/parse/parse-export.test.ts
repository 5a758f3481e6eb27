import { describe, expect, it } from '@jest/globals';
import { parseExport } from '../../../../lib/rest/parse/parse-export.js';
import { parseRelationshipTarget } from '../../../../lib/rest/parse/parse-target.js';
import { problemsOf, readContext, resourceOf } from '../read-fixture.js';

const context = readContext();
type Format = Parameters<typeof parseExport>[2];

function ofUsers(search: string, format: Format = 'ndjson') {
  return parseExport({ kind: 'collection', resource: resourceOf(context, 'User') }, search, format, context);
}

function ofRelated(relationship: string, search = '') {
  const target = parseRelationshipTarget('read', 'related', { type: 'user', id: '1', relationship }, context);
  return parseExport(target, search, 'ndjson', context);
}

describe('parseExport', () => {
  it('takes filter, sort and fields, and begins at the start of all rows', () => {
    const { query, fieldset } = ofUsers('filter[name]=x&sort=-email&fields[user]=name,email', 'csv');
    expect(query).toMatchObject({
      kind: 'collection',
      filter: { values: ['x'] },
      sort: [{ direction: 'desc', attribute: { name: 'email' } }],
      page: { kind: 'cursor', size: 1, isSized: true },
    });
    expect(query.page).not.toHaveProperty('after');
    expect([...(fieldset ?? [])]).toEqual(['name', 'email']);
  });

  it('has no fieldset where none is of its type', () => {
    expect(ofUsers('').fieldset).toBeUndefined();
    expect(ofUsers('fields[post]=title').fieldset).toBeUndefined();
  });

  it('accepts page[after] in NDJSON, which has cursors', () => {
    expect(ofUsers('page[after]=x').query.page).toEqual({
      kind: 'cursor',
      size: 1,
      isSized: true,
      after: { parameter: 'page[after]', text: 'x' },
    });
  });

  it('exports a to-many relationship, too', () => {
    const { query } = ofRelated('posts', 'sort=title&filter[title]=a');
    expect(query).toMatchObject({ resource: { model: 'Post' }, filter: { values: ['a'] }, page: { kind: 'cursor' } });
    expect(() => ofRelated('manager')).toThrow('An export of one resource was read.');
  });

  it.each<[Format, string, string]>([
    ['csv', 'page[after]=x', 'page[after]: An export takes filter, sort and fields alone.'],
    ['csv', 'include=posts', 'include: An export takes filter, sort and fields alone.'],
    ['ndjson', 'page[before]=x', 'page[before]: An export takes filter, sort, fields and page[after] alone.'],
    ['ndjson', 'page[after][x]=x', 'page[after][x]: An export takes filter, sort, fields and page[after] alone.'],
    ['ndjson', 'page[size]=5', 'page[size]: An export takes filter, sort, fields and page[after] alone.'],
    ['ndjson', 'page[limit]=5', 'page[limit]: An export takes filter, sort, fields and page[after] alone.'],
    ['ndjson', 'includeSort[posts]=id', 'includeSort[posts]: An export takes filter, sort, fields and page[after] alone.'],
  ])('refuses in %s: %s', (format, search, problem) => {
    expect(problemsOf(() => ofUsers(search, format))).toEqual([`unsupported-parameter at ${problem}`]);
  });

  it('names all parameters that it does not take', () => {
    expect(problemsOf(() => ofUsers('include=posts&page[size]=1&sort=email'))).toHaveLength(2);
  });
});
