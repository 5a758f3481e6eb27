import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import { printQuery } from '../../../lib/prisma/print-query.js';
import { planRpcRequest } from '../../../lib/rpc/plan-rpc-call.js';
import { type FakeRequest, fakeRequest, refusalOf } from './fake-request.js';
import { publisher } from './publisher.js';

const Q = JSON.stringify({ where: { id: { in: [1, 2] } }, select: { id: true } });

function plan({ model = 'post', operation = 'findMany', surface = publisher, ...request }: Requested = {}) {
  return planRpcRequest(surface, { model, operation }, fakeRequest({ query: { q: Q }, ...request }), DEFAULT_LIMITS);
}

interface Requested extends FakeRequest {
  readonly model?: string;
  readonly operation?: string;
  readonly surface?: typeof publisher;
}

describe('planRpcRequest', () => {
  it('returns one plan for all reads with the same path and query string', () => {
    expect(plan()).toBe(plan());
    expect(plan({ operation: 'findFirst' })).not.toBe(plan());
    expect(plan({ query: { q: '{}' } })).not.toBe(plan());
  });

  it('shares no plan between the surfaces of two callers', () => {
    expect(plan({ surface: { ...publisher } })).not.toBe(plan());
  });

  it.each<FakeRequest>([
    { method: 'QUERY', query: {}, body: JSON.parse(Q) },
    { query: { q: JSON.stringify({ where: { title: 'x'.repeat(2_000) } }) } },
  ])('plans each request with a body or a long query string', (request) => {
    expect(plan(request)).not.toBe(plan(request));
  });

  it('rejects a path whose text runs into that of a cached one', () => {
    const search = `q=${encodeURIComponent(Q)}`;
    plan({ search });
    expect(refusalOf(() => plan({ model: 'post', operation: `findMany${search.slice(0, 2)}`, search: search.slice(2) }))).toContain(
      'no operation',
    );
    expect(refusalOf(() => plan({ model: 'postfind', operation: 'Many', search }))).toContain('no model');
  });

  it('prints a copy of each list, which an extension of the client may change', () => {
    const print = (): unknown => printQuery(plan().planned.query).args['where'];
    const first = print() as { readonly id: { readonly in: bigint[] } };
    first.id.in.push(3n);
    expect(print()).toEqual({ id: { in: [1n, 2n] } });
  });
});
