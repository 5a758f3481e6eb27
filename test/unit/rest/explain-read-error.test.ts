import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../lib/errors/api-error.js';
import { explainReadError } from '../../../lib/rest/explain-read-error.js';
import { collectionQuery, readContext } from './read-fixture.js';

const context = readContext();
const REFUSED = new ApiError('query-error', 'The data layer refused the query.', { orm: { code: 'P2030' }, cause: new Error('no index') });

function explain(error: ApiError, search: string): ApiError {
  return explainReadError(error, collectionQuery(context, 'Post', search));
}

describe('explainReadError', () => {
  it.each(['filter[title$search]', 'filter[title][$search]', 'filter[title][search]', 'filter[author][name$search]'])(
    'names the database and the operator of %s, and keeps the code of the data layer',
    (parameter) => {
      const error = explain(REFUSED, `filter[views]=1&${parameter}=a`);
      expect(error.problems).toEqual([
        { code: 'invalid-filter', detail: expect.stringContaining("(postgresql) refused the operator '$search'"), source: { parameter } },
      ]);
      expect(error.orm).toEqual({ code: 'P2030' });
      expect(error.cause).toBe(REFUSED.cause);
    },
  );

  it.each([
    ['a query without a search', REFUSED, 'filter[title]=search'],
    ['another error', new ApiError('unavailable', 'Later.', { orm: {} }), 'filter[title$search]=a'],
    ["a host's own error", new ApiError('query-error', 'Mine.'), 'filter[title$search]=a'],
  ])('leaves %s as it is', (_, error, search) => {
    expect(explain(error, search)).toBe(error);
  });
});
