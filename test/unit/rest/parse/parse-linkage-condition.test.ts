import { describe, expect, it } from '@jest/globals';
import { printFilter } from '../print-filter.js';
import { collectionQuery, problemsOf, readContext } from '../read-fixture.js';

describe('filter: ids that may not be filtered by', () => {
  const closed = readContext({
    resources: {
      User: { externalId: 'email', fields: { email: { filter: false } } },
      Comment: { fields: { id: { filter: ['gt'] } } },
      Tag: { fields: { id: { filter: ['in', 'equals'] } } },
      Line: { fields: { sku: { filter: false } } },
    },
  });
  const refusal = (search: string): string[] => problemsOf(() => collectionQuery(closed, 'Post', search));

  it.each(['filter[author]=ann@example.com', 'filter[author$ne]=ann@example.com', 'filter[comments]=1', 'filter[comments$every]=1'])(
    'may not be filtered by through the name of a relationship: %s',
    (search) => {
      expect(refusal(search)).toEqual([
        expect.stringMatching(/^invalid-filter .* cannot be filtered by: the ids of .* are closed to it\.$/),
      ]);
    },
  );

  it('do not restrict a foreign key with the same values, which is one right with its relationship, nor presence', () => {
    expect(printFilter(collectionQuery(closed, 'Refund', 'filter[line]=1_a').filter)).toBe('one line [id 1n+"a"]');
    expect(printFilter(collectionQuery(closed, 'Post', 'filter[tags]=1&filter[comments$isEmpty]=true').filter)).toBe(
      'all(some tags [id 1], no comments)',
    );
  });
});
