import { describe, expect, it, jest } from '@jest/globals';
import { type DataCall, isWriting, type Plan } from '../../../lib/executor/plan.js';
import { prismaExecutor } from '../../../lib/executor/prisma-executor.js';
import { runPlan as runPlanOn } from '../../../lib/executor/run-plan.js';
import { ApiError } from '../../../lib/errors/api-error.js';
import { FailedCallError } from '../../../lib/errors/failed-call-error.js';
import { ALWAYS } from '../../../lib/query/condition.js';
import { countRows, type CountRows, findMany, type FindMany } from '../../../lib/query/read.js';
import { many, one, select, stored } from './library.js';

const post = stored('Post');
const tag = stored('Tag');
const findPosts: DataCall<FindMany> = { query: findMany({ model: post, selection: select('Post', ['id']), page: { take: 2 } }) };
const countPosts: DataCall<CountRows> = { query: countRows({ model: post, where: ALWAYS }) };
const findTags: DataCall = {
  query: findMany({ model: tag, selection: select('Tag', ['id']) }),
  expect: { kind: 'all-found', wanted: [{ key: { id: 7n }, detail: 'There is no tag with id 7.', source: { pointer: '/data/0' } }] },
};

const runPlan = <P extends Plan>(client: object, plan: P) => runPlanOn(prismaExecutor(client), plan, { isWrite: isWriting(plan) });

/** Both relations of a post, with lists of posts in each. */
const RELATED = select('Post', ['id', one('Post.author', [many('Author.posts', ['id'])]), many('Post.tags', [many('Tag.posts', ['id'])])]);

describe('runPlan', () => {
  it('runs a call on its delegate, with the delegate as this', async () => {
    const client = {
      post: {
        rows: [{ id: 1 }],
        findMany(args: unknown) {
          return Promise.resolve([this.rows, args]);
        },
      },
    };
    await expect(runPlan(client, { kind: 'call', call: findPosts })).resolves.toEqual([[{ id: 1 }], { take: 2, select: { id: true } }]);
  });

  it('returns the rows of a collection and its total', async () => {
    const client = { post: { findMany: () => Promise.resolve([{ id: 1 }]), count: () => Promise.resolve(5) } };
    await expect(runPlan(client, { kind: 'collection', rows: findPosts, total: countPosts })).resolves.toEqual({
      rows: [{ id: 1 }],
      total: 5,
    });
  });

  it('counts no total where none is planned', async () => {
    const client = { post: { findMany: () => Promise.resolve([]) } };
    await expect(runPlan(client, { kind: 'collection', rows: findPosts })).resolves.toEqual({ rows: [], total: undefined });
  });

  it('refuses more rows than a call may return', async () => {
    const problem = { code: 'limit-exceeded', detail: 'Too many.' } as const;
    const call: DataCall = { ...findPosts, expect: { kind: 'at-most', rows: 1, problem } };
    const withRows = (...rows: object[]): object => ({ post: { findMany: () => Promise.resolve(rows) } });
    await expect(runPlan(withRows({}), { kind: 'call', call })).resolves.toEqual([{}]);
    await expect(runPlan(withRows({}, {}), { kind: 'call', call })).rejects.toMatchObject({ name: 'ApiError', problems: [problem] });
  });

  it('runs the calls of a transaction in order on the client of that transaction', async () => {
    const order: string[] = [];
    const tx = { post: { findMany: () => Promise.resolve(order.push('rows')), count: () => Promise.resolve(order.push('count')) } };
    const client = { $transaction: (run: (client: object) => Promise<unknown>) => run(tx) };
    await expect(runPlan(client, { kind: 'transaction', calls: [countPosts, findPosts] })).resolves.toEqual([1, 2]);
    expect(order).toEqual(['count', 'rows']);
  });

  it('opens no transaction for a single read', async () => {
    const $transaction = jest.fn();
    await runPlan({ $transaction, post: { count: () => Promise.resolve(1) } }, { kind: 'transaction', calls: [countPosts] });
    expect($transaction).not.toHaveBeenCalled();
  });

  it('names the call of a transaction that failed, with the cause', async () => {
    const cause = new Error('boom');
    const client = { post: { count: () => Promise.resolve(1), findMany: () => Promise.reject(cause) } };
    const run = runPlan(client, { kind: 'transaction', calls: [countPosts, findPosts] });
    await expect(run).rejects.toMatchObject({ name: FailedCallError.name, index: 1, cause });
  });

  it.each([
    ['is missing', [{ id: 6n }], false],
    ['is there', [{ id: 6n }, { id: 7n }], true],
    ['is there under another type of the same value', [{ id: 7 }], true],
  ])('checks a wanted record that %s', async (_, rows, found) => {
    const run = runPlan({ tag: { findMany: () => Promise.resolve(rows) } }, { kind: 'transaction', calls: [findTags] });
    if (found) await expect(run).resolves.toEqual([rows]);
    else await expect(run).rejects.toEqual(new ApiError('not-found', 'There is no tag with id 7.', { source: { pointer: '/data/0' } }));
  });

  it('reports at most twenty missing records', async () => {
    const wanted = Array.from({ length: 1000 }, (_, id) => ({ key: { id }, detail: `There is no tag with id ${id}.` }));
    const call: DataCall = { ...findTags, expect: { kind: 'all-found', wanted } };
    const run = runPlan({ tag: { findMany: () => Promise.resolve([]) } }, { kind: 'transaction', calls: [call] });
    await expect(run).rejects.toHaveProperty('problems.length', 20);
  });

  it('refuses a row that must not exist', async () => {
    const problem = { code: 'invalid-relation-data', detail: 'Comment 3 cannot be without a post.' } as const;
    const call: DataCall = { ...findPosts, expect: { kind: 'none-found', problem } };
    const rows = (found: unknown[]) =>
      runPlan({ post: { findMany: () => Promise.resolve(found) } }, { kind: 'transaction', calls: [call] });
    await expect(rows([])).resolves.toEqual([[]]);
    await expect(rows([{ id: 3 }])).rejects.toMatchObject({ problems: [problem] });
  });

  it('counts the related rows of a written row before the transaction ends', async () => {
    const problem = { code: 'limit-exceeded', detail: 'Too many.' } as const;
    const selection = select('Post', ['id', one('Post.author', [many('Author.posts', ['id'])])]);
    const record = { kind: 'record', model: post, action: 'create', fields: [], relations: [], at: [] } as const;
    const call: DataCall = { query: { kind: 'create', model: post, record, selection }, expect: { kind: 'at-most', rows: 3, problem } };
    const outcomes: string[] = [];
    const write = (author: object | null): Promise<unknown> => {
      const tx = { post: { create: () => Promise.resolve({ id: 1, author, tags: [{}, {}, {}, {}] }) } };
      const $transaction = async (run: (client: object) => Promise<unknown>): Promise<unknown> => {
        outcomes.push('begin');
        const results = await run(tx);
        outcomes.push('commit');
        return results;
      };
      return runPlan({ $transaction }, { kind: 'transaction', calls: [call] });
    };
    await expect(write(null)).resolves.toHaveLength(1);
    await expect(write({ id: 1, posts: [{ id: 1 }, { id: 2 }] })).resolves.toHaveLength(1);
    await expect(write({ id: 1, posts: [{ id: 1 }, { id: 2 }, { id: 3 }] })).rejects.toMatchObject({ problems: [problem] });
    expect(outcomes).toEqual(['begin', 'commit', 'begin', 'commit', 'begin']);
  });

  it('counts all related rows together, in lists and to-one relations', async () => {
    const problem = { code: 'limit-exceeded', detail: 'Too many.' } as const;
    const call: DataCall = { query: { ...findPosts.query, selection: RELATED }, expect: { kind: 'at-most', rows: 5, problem } };
    const withResult = (result: unknown): Promise<unknown> =>
      runPlan({ post: { findMany: () => Promise.resolve(result) } }, { kind: 'call', call });
    const post = { author: { posts: [{}], likes: [{}, {}, {}, {}] }, tags: [{ posts: [{}] }] };
    await expect(withResult(null)).resolves.toBeNull();
    await expect(withResult({ author: null, tags: [] })).resolves.toBeDefined();
    await expect(withResult(post)).resolves.toBe(post);
    await expect(withResult([post, { author: {}, tags: [] }])).resolves.toHaveLength(2);
    await expect(withResult([post, { author: { posts: [{}] } }])).rejects.toMatchObject({ problems: [problem] });
  });

  it('counts the limited rows of all calls of a transaction together', async () => {
    const problem = { code: 'limit-exceeded', detail: 'Too many together.' } as const;
    const selection = select('Post', [one('Post.author', ['name'])]);
    const expectation = { kind: 'at-most', rows: 3, problem: { ...problem, detail: 'Too many.' } } as const;
    const call: DataCall = { query: { ...findPosts.query, selection }, expect: expectation };
    const run = (...results: readonly object[][]): Promise<unknown> => {
      const left = [...results];
      const client = { post: { findMany: () => Promise.resolve(left.shift()) } };
      return runPlan(client, { kind: 'transaction', calls: results.map(() => call), limit: { rows: 3, problem } });
    };
    await expect(run([{}, {}], [{}])).resolves.toHaveLength(2);
    await expect(run([{}, {}], [{}, {}])).rejects.toMatchObject({ callIndex: 1, problems: [problem] });
    await expect(run([{ author: {} }, { author: {} }], [{ author: {} }])).resolves.toHaveLength(2);
    await expect(run([{ author: { id: 1 } }], [{}], [{}, {}])).rejects.toMatchObject({ callIndex: 2, problems: [problem] });
  });

  it('ends the transaction with an error where the result of a call is refused', async () => {
    const problem = { code: 'limit-exceeded', detail: 'Too many.' } as const;
    const record = { kind: 'record', model: post, action: 'update', fields: [], relations: [], at: [] } as const;
    const query = { kind: 'update-many', model: post, where: ALWAYS, record, selection: select('Post', ['id']) } as const;
    const call: DataCall = { query, expect: { kind: 'at-most', rows: 1, problem } };
    const outcomes: string[] = [];
    const client = (...rows: object[]): object => ({
      $transaction: (run: (client: object) => Promise<unknown>): Promise<unknown> =>
        run({ post: { updateManyAndReturn: () => Promise.resolve(rows) } }).finally(() => outcomes.push('end')),
    });
    await expect(runPlan(client({}), { kind: 'call', call })).resolves.toEqual([{}]);
    await expect(runPlan(client({}, {}), { kind: 'call', call })).rejects.toMatchObject({
      name: 'ApiError',
      callIndex: undefined,
    });
    expect(outcomes).toEqual(['end', 'end']);
  });

  it('names the delegate that a client lacks', async () => {
    await expect(runPlan({}, { kind: 'call', call: findPosts })).rejects.toThrow('The data client has no post.findMany().');
  });
});
