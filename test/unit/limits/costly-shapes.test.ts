import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import { COSTLY_LISTS, type ListRequest } from '../../support/costly-lists.js';
import { sample } from '../../support/sample.js';
import { type NaiveCost, naiveCost } from '../../support/naive-cost.js';
import { printCall } from '../../support/print-plan.js';
import { type Accepted, accept, resourceNamed } from './plan-shape.js';
import { type Gene, gene, restQuery, rpcArguments } from './random-shape.js';

/** The number of requests in a search. `COST_SEARCH=100000` raises it, `COST_SEED=2` draws others, and `COST_SHOW=1` prints the most expensive. */
const RUNS = Number(process.env['COST_SEARCH'] ?? sample.choose(1000, 3000));
const SEED = Number(process.env['COST_SEED'] ?? 11);

/** The most that a query of 8 kB is tried with. */
const MAX_LENGTH = 8000;

const MODELS = ['Post', 'User', 'Category', 'Tag', 'Order'] as const;

interface Found extends Accepted {
  readonly request: ListRequest;
  readonly genes: readonly Gene[];
}

function requestOf(style: ListRequest['style'], name: string, genes: readonly Gene[]): ListRequest {
  const resource = resourceNamed(name);
  return style === 'rpc'
    ? { style, model: name, args: rpcArguments(resource, genes) }
    : { style, model: name, query: restQuery(resource, genes) };
}

function lengthOf(request: ListRequest): number {
  return request.style === 'rest' ? request.query.length : JSON.stringify(request.args).length;
}

/** How near a request is to the limits, which guides the search. */
const expense = ({ cost: { terms, joins } }: Found): number => terms / DEFAULT_LIMITS.maxFilterTerms + joins / DEFAULT_LIMITS.maxJoins;

/** Requests grow out of the most expensive accepted ones so far. */
function search(style: ListRequest['style'], name: string): { readonly accepted: readonly Found[]; readonly refused: number } {
  const steps = fc.sample(fc.tuple(fc.array(gene, { minLength: 1, maxLength: 3 }), fc.nat(9), fc.nat(3)), {
    seed: SEED,
    numRuns: RUNS / MODELS.length,
  });
  const accepted: Found[] = [];
  let best: readonly Found[] = [];
  for (const [genes, parent, dropped] of steps) {
    const all = [...(best[parent]?.genes.slice(dropped) ?? []), ...genes];
    const request = requestOf(style, name, all);
    const result = lengthOf(request) <= MAX_LENGTH ? accept(request) : undefined;
    if (!result) continue;
    const found = { ...result, request, genes: all };
    accepted.push(found);
    best = [...best, found].sort((one, other) => expense(other) - expense(one)).slice(0, 8);
  }
  return { accepted, refused: steps.length - accepted.length };
}

const { maxJoins, maxFilterTerms, maxDepth } = DEFAULT_LIMITS;

/** The most that a request within the limits may cost, counted without weights. */
const BOUNDS: NaiveCost = {
  hops: maxJoins,
  // 2 for the first list, 8 for one in it: a third would be 32.
  listsDeep: 2,
  searches: maxFilterTerms / 20,
  words: maxFilterTerms - 20,
  longest: maxFilterTerms,
  leaves: maxFilterTerms,
};

/** REST puts the id behind every order, which costs the client nothing. */
const OWN_KEYS = { rest: 1, rpc: 0 } as const;

function expectWithin({ call, cost }: Accepted, { style, model }: ListRequest): void {
  expect(cost.joins).toBeLessThanOrEqual(maxJoins);
  expect(cost.terms).toBeLessThanOrEqual(maxFilterTerms + OWN_KEYS[style]);
  expect(cost.depth).toBeLessThanOrEqual(maxDepth);
  const { args } = printCall(call);
  const naive = Object.entries(naiveCost(model, args));
  const over = naive.filter(([part, count]) => count > BOUNDS[part as keyof NaiveCost] + OWN_KEYS[style]);
  expect({ over, args: over.length > 0 ? args : {} }).toEqual({ over: [], args: {} });
}

describe.each(['rest', 'rpc'] as const)('the most expensive lists of %s', (style) => {
  it.each(MODELS)('stay within the limits, counted in two ways · %s', (name) => {
    const { accepted, refused } = search(style, name);
    for (const found of accepted) expectWithin(found, found.request);
    const most = accepted.reduce((max, found) => Math.max(max, expense(found)), 0);
    // A search that stays far from the limits, or never reaches them, would prove nothing.
    expect(most).toBeGreaterThan(1.5);
    expect(refused).toBeGreaterThan(50);
    expect(accepted.length).toBeGreaterThan(50);
    if (!process.env['COST_SHOW']) return;
    const worst = accepted.find((found) => expense(found) === most);
    process.stdout.write(`${JSON.stringify(worst?.cost)} ${JSON.stringify(worst?.request)}\n`);
  });
});

describe('the saved lists', () => {
  it.each(COSTLY_LISTS)('are accepted, and within all limits · %s', (_, request) => {
    const result = accept(request);
    if (!result) throw new Error('It is refused.');
    expectWithin(result, request);
  });
});

describe('the count without weights', () => {
  it('counts every hop, search and value', () => {
    const where = { AND: [{ author: { posts: { some: { tags: { none: {} } } } } }, { OR: [{ title: { search: 'a | b' } }] }] };
    const orderBy = [{ comments: { _count: 'asc' } }, { title: 'asc' }];
    const include = {
      author: { include: { posts: true } },
      tags: false,
      _count: { select: { comments: { where: { id: { in: [1, 2, 3] } } } } },
    };
    expect(naiveCost('Post', { where, orderBy, include })).toEqual({ hops: 7, listsDeep: 2, searches: 1, words: 2, longest: 3, leaves: 6 });
  });
});
