import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { measureCost } from '../../../lib/limits/measure-cost.js';
import { DEFAULT_LIMITS } from '../../../lib/model/limits.js';
import { COSTLY_REQUESTS, type CostlyRequest, type Operation } from '../../support/costly-requests.js';
import { sample } from '../../support/sample.js';
import { type NaiveCost, naiveCost } from '../../support/naive-cost.js';
import { printCall, type PrintedCall } from '../../support/print-plan.js';
import { sumCosts } from '../../support/sum-costs.js';
import { acceptCalls, type PlannedCall, resourceNamed } from './plan-shape.js';
import { type Gene, gene, restQuery, rpcArguments } from './random-shape.js';

/** As in `costly-shapes.test.ts`. */
const RUNS = Number(process.env['COST_SEARCH'] ?? sample.choose(1000, 3000));
const SEED = Number(process.env['COST_SEED'] ?? 11);

const { maxJoins, maxFilterTerms, maxDepth } = DEFAULT_LIMITS;

type Make = (genes: readonly Gene[]) => CostlyRequest;

const conditions = (model: string, genes: readonly Gene[]): object =>
  rpcArguments(
    resourceNamed(model),
    genes.filter(({ kind }) => kind === 'filter' || kind === 'alternative'),
  );
const whereOf = (model: string, genes: readonly Gene[]): object => (conditions(model, genes) as { where: object }).where;
const one = (model: string, op: string, args: Operation['args']): CostlyRequest => ({ style: 'rpc', operations: [{ model, op, args }] });

/** Every kind of request but a list of the primary data, made of the same genes as the lists. */
const KINDS: readonly (readonly [name: string, make: Make])[] = [
  ['related pages', (genes) => ({ style: 'rest', model: 'User', relation: 'posts', query: restQuery(resourceNamed('Post'), genes) })],
  [
    'related pages of a join table',
    (genes) => ({ style: 'rest', model: 'Post', relation: 'tags', query: restQuery(resourceNamed('Tag'), genes) }),
  ],
  [
    'batches',
    (genes) => ({
      style: 'rpc',
      operations: genes.map((each) => ({ model: 'Post', op: 'findMany', args: rpcArguments(resourceNamed('Post'), [each]) })),
    }),
  ],
  ['counts', (genes) => one('Post', 'count', { where: whereOf('Post', genes) })],
  ['aggregates', (genes) => one('User', 'aggregate', { where: whereOf('User', genes), _count: true })],
  ['groups', (genes) => one('Post', 'groupBy', { by: ['title'], where: whereOf('Post', genes), _count: true })],
  ['updates of many', (genes) => one('Post', 'updateMany', { where: whereOf('Post', genes), data: { title: 'x' } })],
  ['deletes of many', (genes) => one('Comment', 'deleteMany', { where: whereOf('Comment', genes) })],
  [
    'answers to writes',
    (genes) =>
      one('Post', 'update', {
        where: { id: 1 },
        data: { title: 'x' },
        include: rpcArguments(resourceNamed('Post'), genes)['include'] ?? {},
      }),
  ],
  [
    'nested writes',
    (genes) =>
      one('User', 'update', {
        where: { id: 1 },
        data: { posts: { updateMany: genes.map((each) => ({ where: whereOf('Post', [each]), data: { title: 'x' } })) } },
      }),
  ],
  [
    'nested deletes',
    (genes) => one('User', 'update', { where: { id: 1 }, data: { posts: { deleteMany: genes.map((each) => whereOf('Post', [each])) } } }),
  ],
];

interface Found {
  readonly calls: readonly PlannedCall[];
  readonly genes: readonly Gene[];
  readonly expense: number;
}

/** Returns the cost of all calls together, counted without weights. */
function naive(calls: readonly PlannedCall[]): NaiveCost {
  const costs = calls.map(({ model, call }) => naiveCost(model, printCall(call).args));
  const sum = (part: keyof NaiveCost): number => costs.reduce((total, cost) => total + cost[part], 0);
  const most = (part: keyof NaiveCost): number => Math.max(...costs.map((cost) => cost[part]));
  return {
    hops: sum('hops'),
    listsDeep: most('listsDeep'),
    searches: sum('searches'),
    words: sum('words'),
    longest: most('longest'),
    leaves: sum('leaves'),
  };
}

function expenseOf(calls: readonly PlannedCall[]): number {
  const { hops, leaves, words } = naive(calls);
  return hops / maxJoins + (leaves + words) / maxFilterTerms;
}

/** Requests grow out of the most expensive accepted ones so far. */
function search(make: Make): { readonly accepted: readonly Found[]; readonly refused: number } {
  const steps = fc.sample(fc.tuple(fc.array(gene, { minLength: 1, maxLength: 3 }), fc.nat(9), fc.nat(3)), {
    seed: SEED,
    numRuns: RUNS / 5,
  });
  const accepted: Found[] = [];
  let best: readonly Found[] = [];
  for (const [genes, parent, dropped] of steps) {
    const all = [...(best[parent]?.genes.slice(dropped) ?? []), ...genes];
    const calls = acceptCalls(make(all));
    if (!calls) continue;
    const found = { calls, genes: all, expense: expenseOf(calls) };
    accepted.push(found);
    best = [...best, found].sort((a, b) => b.expense - a.expense).slice(0, 8);
  }
  return { accepted, refused: steps.length - accepted.length };
}

/** A page of related rows holds its filter twice: for the rows and for their total. The filter and the order of a batch's lists end in the id. */
function expectWithin(calls: readonly PlannedCall[], { style }: CostlyRequest): void {
  const twice = style === 'rest' ? 2 : 1;
  const bounds: NaiveCost = {
    hops: maxJoins * twice,
    listsDeep: 2,
    searches: (maxFilterTerms / 20) * twice,
    words: (maxFilterTerms - 20) * twice,
    longest: Math.max(maxFilterTerms, ...calls.map(({ call }) => listsOfData(printCall(call).args))),
    leaves: maxFilterTerms * twice + calls.length,
  };
  const over = Object.entries(naive(calls)).filter(([part, count]) => count > bounds[part as keyof NaiveCost]);
  expect({ over, args: over.length > 0 ? calls : [] }).toEqual({ over: [], args: [] });
  if (style !== 'rpc') return;
  const cost = sumCosts(...calls.map(({ call }) => measureCost(call.query)));
  expect(cost.joins).toBeLessThanOrEqual(maxJoins);
  expect(cost.depth).toBeLessThanOrEqual(maxDepth);
}

/** Records of a write have `maxBatchSize`, and no other limit. */
function listsOfData({ data }: PrintedCall['args']): number {
  return data === undefined ? 0 : DEFAULT_LIMITS.maxBatchSize;
}

describe('the most expensive requests but lists of the primary data', () => {
  it.each(KINDS)('stay within the limits, counted in two ways · %s', (_, make) => {
    const { accepted, refused } = search(make);
    for (const { calls, genes } of accepted) expectWithin(calls, make(genes));
    // A search that never reaches the limits would prove nothing.
    expect(refused).toBeGreaterThan(20);
    expect(accepted.length).toBeGreaterThan(20);
    expect(Math.max(...accepted.map(({ expense }) => expense))).toBeGreaterThan(0.7);
  });

  it('count the hop to a related page, and its total', () => {
    const query = (count: number): string => Array.from({ length: count }, (_, index) => `filter[or][${index}][author][name]=a`).join('&');
    const isAccepted = (count: number): boolean =>
      acceptCalls({ style: 'rest', model: 'Tag', relation: 'posts', query: query(count) }) !== undefined;
    expect([isAccepted(maxJoins - 3), isAccepted(maxJoins - 2)]).toEqual([true, false]);
  });

  it.each(COSTLY_REQUESTS)('are accepted, and within all limits · %s', (_, request) => {
    const calls = acceptCalls(request);
    if (!calls) throw new Error('It is refused.');
    expectWithin(calls, request);
  });
});
