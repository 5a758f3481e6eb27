import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS, type Limits } from '../../../lib/model/limits.js';
import { ApiError } from '../../../lib/errors/api-error.js';
import { parseRpcBatch } from '../../../lib/rpc/parse-rpc-batch.js';
import { planRpcBatch } from '../../../lib/rpc/plan-rpc-batch.js';
import { printPlan } from '../../support/print-plan.js';
import { type FakeRequest, fakeRequest } from './fake-request.js';
import { plain, publisher } from './publisher.js';

function parse(body: unknown, more: FakeRequest = {}) {
  return parseRpcBatch(publisher, fakeRequest({ method: 'POST', body, ...more }));
}

function plan(body: unknown) {
  return planRpcBatch(parse(body), { ...DEFAULT_LIMITS, maxBatchSize: 3 }, publisher.storage);
}

/** The index of the operation that is refused, and why. */
function refused(run: () => unknown): readonly [index: number | undefined, sentence: string] {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return [error.callIndex, error.message];
    throw error;
  }
  return [undefined, 'accepted'];
}

const create = { model: 'tag', op: 'create', args: { data: { id: 1, name: 'a' } } };
const count = { model: 'Tag', op: 'count' };

describe('a batch', () => {
  it('is one transaction of its operations in order', () => {
    expect(printPlan(plan([create, count]))).toEqual({
      kind: 'transaction',
      calls: [
        { delegate: 'tag', operation: 'create', args: { ...create.args, select: plain('tag') } },
        { delegate: 'tag', operation: 'count', args: {} },
      ],
    });
  });

  it.each([[[]], [{}]])('of no operations is refused: %j', (body) => {
    expect(refused(() => parse(body))).toEqual([undefined, 'The batch has no operations.']);
  });

  it('may be an array-like object, with its members in any order', () => {
    expect(parse(JSON.parse(`{"1":${JSON.stringify(count)},"0":${JSON.stringify(create)}}`))).toEqual(parse([create, count]));
  });

  it('has values of the types in the metadata of one args, or of the whole batch', () => {
    const args = { where: { createdAt: '2026-01-01T00:00:00.000Z' } };
    const entry = { model: 'post', op: 'findMany', args };
    const own = { ...entry, args: { ...args, meta: { serialization: { values: { 'where.createdAt': ['Date'] } } } } };
    const whole = { 0: count, 1: entry, meta: { serialization: { values: { '1.args.where.createdAt': ['Date'] } } } };
    const revived = { where: { createdAt: new Date('2026-01-01') } };
    expect(parse([count, own]).map((call) => call.args)).toEqual([{}, revived]);
    expect(parse(whole).map((call) => call.args)).toEqual([{}, revived]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a string', 'x'],
    ['an object that is no list', { model: 'tag', op: 'count' }],
    ['a list with a gap', { 0: count, 2: count }],
    ['a list with a length', { 0: count, length: 1 }],
    ['a list that does not begin at 0', { 1: count }],
    ['metadata of another form', { 0: count, meta: {} }],
  ])('is refused as a whole when it is %s', (_, body) => {
    expect(refused(() => parse(body))).toEqual([undefined, expect.stringMatching(/^The body of a batch must be a list of operations/)]);
  });

  it.each<[string, unknown, string]>([
    ['no object', 'tag.count', 'An operation must be an object of model, op and args.'],
    ['no model', { op: 'count' }, 'An operation needs model and op, as strings.'],
    ['a model that is no string', { model: ['tag'], op: 'count' }, 'An operation needs model and op, as strings.'],
    ['an unknown model', { model: 'tagg', op: 'count' }, "There is no model 'tagg'. Did you mean 'tag'?"],
    ['a hidden model', { model: 'Token', op: 'findMany' }, "There is no model 'Token'."],
    ['an unknown operation', { model: 'tag', op: 'constructor' }, "There is no operation 'constructor'."],
    ['a batch in a batch', { model: '$transaction', op: 'sequential' }, "There is no model '$transaction'."],
    ['args that are no object', { model: 'tag', op: 'count', args: [] }, 'The args of an operation must be an object.'],
    ['args that are null', { model: 'tag', op: 'count', args: null }, 'The args of an operation must be an object.'],
    ['an unknown member', { model: 'tag', op: 'count', arg: {} }, "Unknown member arg of an operation. Did you mean 'args'?"],
    ['an unknown argument', { model: 'tag', op: 'count', args: { wher: {} } }, "Unknown argument wher. Did you mean 'where'?"],
    ['a missing filter', { model: 'tag', op: 'deleteMany' }, 'where is missing; write {} to mean all records.'],
    ['a filter that metadata makes undefined', undefinedWhere(), 'where is missing; write {} to mean all records.'],
    ['a closed action', { model: 'letter', op: 'findMany' }, 'letter.findMany: Letter is closed to read.'],
  ])('names the operation that is refused for %s', (_, entry, sentence) => {
    expect(refused(() => plan([count, entry]))).toEqual([1, sentence]);
  });

  it('has the limits of one request, all operations together', () => {
    const find = { model: 'post', op: 'findMany', args: { where: { author: { name: 'a' } }, include: { tags: true } } };
    const create = { model: 'user', op: 'update', args: { where: { id: 1 }, data: { posts: { connect: [{ id: 1 }, { id: 2 }] } } } };
    const labels = { model: 'post', op: 'update', args: { where: { id: 1 }, data: { keywords: ['a', 'b'] } } };
    const refusedWithin = (entry: unknown, limits: Partial<Limits>): unknown =>
      refused(() => planRpcBatch(parse([entry, entry]), { ...DEFAULT_LIMITS, ...limits }, publisher.storage));
    expect(refusedWithin(find, { maxFilterTerms: 3, maxJoins: 4 })).toEqual([
      1,
      'The request needs 4 filter and sort terms (where 4); limits.maxFilterTerms allows 3.',
    ]);
    expect(refusedWithin(find, { maxJoins: 3 })).toEqual([1, 'The request needs 4 joins (where 2, include 2); limits.maxJoins allows 3.']);
    expect(refusedWithin(create, { maxBatchSize: 3 })).toEqual([
      1,
      'data.posts.connect writes more records than limits.maxBatchSize allows: 3.',
    ]);
    expect(refusedWithin(labels, { maxValues: 3 })).toEqual([1, 'data.keywords writes more values than limits.maxValues allows: 3.']);
    expect(refusedWithin(find, { maxFilterTerms: 4, maxJoins: 4 })).toEqual([undefined, 'accepted']);
  });

  it('returns as many rows as one request may, all operations together', () => {
    const find = { model: 'post', op: 'findMany', args: { take: 2, select: { id: true } } };
    const one = { model: 'post', op: 'findUnique', args: { where: { id: 1 }, select: { author: true } } };
    const { calls, limit } = planRpcBatch(parse([find, one, count]), { ...DEFAULT_LIMITS, maxTake: 3 }, publisher.storage);
    expect(limit).toEqual({
      rows: 3,
      problem: { code: 'limit-exceeded', detail: 'The operations found more rows together than limits.maxTake allows: 3.' },
    });
    expect(calls.map(({ expect: expectation }) => expectation?.kind)).toEqual(['at-most', 'at-most', undefined]);
  });

  it('counts no keys of single records: they are operations', () => {
    const one = { model: 'post', op: 'findUnique', args: { where: { id: 1 } } };
    const many = Array.from({ length: 500 }, () => one);
    expect(refused(() => planRpcBatch(parse(many), DEFAULT_LIMITS, publisher.storage))).toEqual([undefined, 'accepted']);
  });

  it('has at most limits.maxBatchSize operations', () => {
    expect(refused(() => plan([count, count, count]))).toEqual([undefined, 'accepted']);
    expect(refused(() => plan([count, count, count, count]))).toEqual([
      undefined,
      'The batch has 4 operations; limits.maxBatchSize allows 3.',
    ]);
  });

  it.each<[FakeRequest, string]>([
    [{ method: 'GET' }, 'sequential is called by POST, not by GET.'],
    [{ search: 'q=[]' }, 'A batch is in the request body; q and meta must be absent.'],
    [{ contentType: 'text/plain' }, 'The Content-Type of the request body must be application/json.'],
  ])('sent as %j is refused', (request, sentence) => {
    expect(refused(() => parse([], request))).toEqual([undefined, sentence]);
  });

  function undefinedWhere(): object {
    return { model: 'tag', op: 'deleteMany', args: { where: null, meta: { serialization: { values: { where: ['undefined'] } } } } };
  }
});
