import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../../../lib/errors/api-error.js';
import { operationOf } from '../../../../lib/prisma/print-query.js';
import type { Row } from '../../../../lib/query/result.js';
import { planRelated, planResource } from '../../../../lib/rest/plan/plan-read.js';
import { planWrite, type WriteResult } from '../../../../lib/rest/plan/plan-write.js';
import type { RowPage } from '../../../../lib/rest/projection/page.js';
import { create, tag, user } from '../parse/parse-document-helpers.js';
import { readContext, relatedQuery, resourceQuery } from '../read-fixture.js';
import { writeContext } from '../write-fixture.js';

const context = readContext();

describe('the reader of a plan', () => {
  const related = (path: readonly [string, string, ...string[]], row: Row | null, search = ''): RowPage => {
    return planRelated(relatedQuery(context, path, search), context).read(row);
  };

  it('throws not-found for a missing resource, and returns no rows for an empty relationship', () => {
    expect(() => related(['post', '1', 'comments'], null)).toThrow(new ApiError('not-found', 'There is no post with id 1.'));
    expect(() => planResource(resourceQuery(context, ['post', '1']), context).read(null)).toThrow(ApiError);
    expect(related(['comment', '1', 'author'], { author: null })).toEqual({ rows: [] });
    expect(related(['post', '1', 'comments'], { comments: [], _count: { comments: 0 } })).toEqual({ rows: [], total: 0 });
  });

  it('finds a page and its total, the related row, and the linkage in the own key', () => {
    expect(related(['post', '1', 'comments'], { comments: [{ id: 2 }], _count: { comments: 7 } })).toEqual({ rows: [{ id: 2 }], total: 7 });
    expect(related(['comment', '1', 'author'], { author: { id: 3 } })).toEqual({ rows: [{ id: 3 }] });
    expect(related(['refund', '1', 'relationships', 'line'], { orderId: 1n, sku: 'a' })).toEqual({ rows: [{ orderId: 1n, sku: 'a' }] });
    expect(related(['refund', '1', 'relationships', 'line'], { orderId: 1n, sku: null })).toEqual({ rows: [] });
  });

  describe('of a write', () => {
    const writing = writeContext();

    /** Returns what the reader of a write returns for these results of its calls. */
    function written(body: unknown, resultOf: (operation: string) => Row | readonly Row[] | null): WriteResult {
      const intent = create(body);
      const { plan, read } = planWrite(intent, writing.projections.keyOf(intent.resource).selection, writing);
      expect(plan.calls.length).toBeGreaterThan(2);
      return read(plan.calls.map(({ query }) => resultOf(operationOf(query))));
    }

    const relationships = { author: { data: user(1) }, tags: { data: [tag(2)] } };
    const data = { type: 'post', attributes: { slug: 'a', title: 'A' }, relationships };
    const row = { id: 7 };

    it('finds the row behind any number of checks before it', () => {
      expect(written({ data }, (operation) => (operation === 'create' ? row : []))).toEqual({ row, isUpdate: false });
    });

    it.each([
      [{ slug: 'a' }, true],
      [null, false],
    ])('reads from the result %j of its check whether an upsert has updated', (found, isUpdate) => {
      const results: Readonly<Record<string, Row | null>> = { findUnique: found, upsert: row };
      const body = { data, meta: { operation: 'upsert', matchFields: ['slug'] } };
      expect(written(body, (operation) => results[operation] ?? (operation === 'findMany' ? [] : null))).toEqual({ row, isUpdate });
    });
  });
});
