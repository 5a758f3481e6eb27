import { MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { createRpcClient, type RpcFetch } from '../../../lib/client/index.js';
import {
  infiniteQueryOptions,
  invalidateModels,
  mutationOptions,
  queryKey,
  queryOptions,
  retryOptions,
} from '../../../lib/tanstack-query/index.js';
import { RpcClientError } from '../../../lib/client/index.js';
import type { PrismaClient } from '../../support/generated/prisma/client.js';
import { resourceSchema } from '../../support/generated/resource-schema.js';
import { recordedFetch } from '../client/recorded-fetch.js';

function setUp(answer: unknown = { data: [] }) {
  const { fetch, requests } = recordedFetch(answer);
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return { api: createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch }), requests, queryClient };
}

describe('queryKey', () => {
  const { api } = setUp();

  it('begins with the package, the model and the operation, so that a prefix matches all calls of one', () => {
    expect(queryKey(api.post.findMany({ take: 3 }))).toEqual(['resource-api', 'post', 'findMany', { take: 3 }]);
    expect(queryKey(api.post.count())).toEqual(['resource-api', 'post', 'count', {}]);
  });

  it('differs for a fluent call and the call that it starts from', () => {
    const post = api.post.findUnique({ where: { id: 1 } });
    expect(queryKey(post.author())).not.toEqual(queryKey(post));
  });

  it('has texts for values that JSON lacks, so that TanStack Query can hash it', () => {
    const where = { id: 9007199254740993n, placedAt: { gte: new Date('2026-01-02T00:00:00Z') } };
    expect(queryKey(api.order.findMany({ where }))[3]).toEqual({
      where: { id: '9007199254740993', placedAt: { gte: '2026-01-02T00:00:00.000Z' } },
    });
  });

  it('refuses a value that is no call', () => {
    expect(() => queryKey(Promise.resolve() as never)).toThrow(/^This is no call of a typed client/);
  });
});

describe('queryOptions', () => {
  it('sends a request when the query runs, and another one when it runs again', async () => {
    const { api, requests, queryClient } = setUp({ data: 7 });
    const options = queryOptions(api.post.count());
    expect(requests).toEqual([]);
    expect(await queryClient.query(options)).toBe(7);
    expect(await queryClient.query(options)).toBe(7);
    expect(requests).toHaveLength(2);
    expect(queryClient.getQueryData(options.queryKey)).toBe(7);
  });

  it('passes the abort signal on, beside the one of the client', async () => {
    const { api, requests } = setUp();
    const [mine, query] = [new AbortController(), new AbortController()];
    await queryOptions(api.post.findMany()).queryFn({ signal: query.signal });
    await queryOptions(api.$with({ signal: mine.signal }).post.findMany()).queryFn({ signal: query.signal });
    expect(requests[0]?.signal).toBe(query.signal);
    expect(requests[1]?.signal?.aborted).toBe(false);
    mine.abort();
    expect(requests[1]?.signal?.aborted).toBe(true);
  });

  it('sends queries of one tick as one batch', async () => {
    const { fetch, requests } = recordedFetch({ data: [1, 2] });
    const batching = createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch, batch: true });
    const { queryClient } = setUp();
    const counts = [batching.post.count(), batching.tag.count()].map((call) => queryClient.query(queryOptions(call)));
    expect(await Promise.all(counts)).toEqual([1, 2]);
    expect(requests.map(({ url }) => url)).toEqual(['/api/rpc/$transaction/sequential']);
  });

  it('refuses a write, which a query could repeat', () => {
    const { api } = setUp();
    expect(() => queryOptions(api.post.delete({ where: { id: 1 } }))).toThrow('post.delete is a write, which a query would repeat.');
  });

  it('aborts the request of a cancelled query', async () => {
    const { queryClient } = setUp();
    const signals: AbortSignal[] = [];
    const fetch: RpcFetch = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        if (signal) signals.push(signal);
        signal?.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
      });
    const api = createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch });
    const observer = new QueryObserver(queryClient, queryOptions(api.post.findMany()));
    const unsubscribe = observer.subscribe(() => undefined);
    await new Promise((resolve) => setTimeout(resolve));
    unsubscribe();
    await queryClient.cancelQueries();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('infiniteQueryOptions', () => {
  it('reads pages until one is not full', async () => {
    const rows = [1, 2, 3, 4, 5];
    const fetch: RpcFetch = (url) => {
      const { take, skip } = JSON.parse(new URL(url, 'http://localhost').searchParams.get('q') ?? '') as { take: number; skip: number };
      return Promise.resolve(new Response(JSON.stringify({ data: rows.slice(skip, skip + take) })));
    };
    const api = createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch });
    const options = infiniteQueryOptions(api.post.findMany({ orderBy: { id: 'asc' }, take: 2 }));
    const { pages, pageParams } = await new QueryClient().infiniteQuery({ ...options, pages: 9 });
    expect([pages, pageParams]).toEqual([
      [[1, 2], [3, 4], [5]],
      [0, 2, 4],
    ]);
  });

  it('has another key than queryOptions, because its data has another shape', () => {
    const { api } = setUp();
    const call = api.post.findMany({ take: 2 });
    expect(infiniteQueryOptions(call).queryKey).not.toEqual(queryOptions(call).queryKey);
  });

  it('requires a take', () => {
    const { api } = setUp();
    expect(() => infiniteQueryOptions(api.post.findMany())).toThrow('An infinite query needs findMany with take');
  });
});

describe('mutationOptions', () => {
  const { api, queryClient } = setUp();
  const POSTS = queryKey(api.post.findMany());
  const POSTS_WITH_TAGS = queryKey(api.post.findMany({ include: { tags: true } }));
  const USERS_OF_COMMENTS = queryKey(api.user.findMany({ where: { comments: { some: { body: 'x' } } } }));
  const AUTHOR = queryKey(api.post.findUnique({ where: { id: 1 } }).author());
  const COUNTRIES = queryKey(api.country.findMany());
  const FOREIGN = ['mine', 'post'];
  const ALL = [POSTS, POSTS_WITH_TAGS, USERS_OF_COMMENTS, AUTHOR, COUNTRIES, FOREIGN];

  beforeEach(() => {
    queryClient.clear();
    for (const key of ALL) queryClient.setQueryData(key, []);
  });

  function outOfDate(): readonly unknown[] {
    return ALL.filter((key) => queryClient.getQueryState(key)?.isInvalidated);
  }

  it('sends the call for its variables', async () => {
    const { api: other, requests } = setUp({ data: { id: 1 } });
    const options = mutationOptions((name: string) => other.tag.create({ data: { name } }));
    const observer = new MutationObserver(queryClient, options);
    expect(await observer.mutate('new')).toEqual({ id: 1 });
    expect(requests.map(({ body }) => body)).toEqual([{ data: { name: 'new' } }]);
    expect(outOfDate()).toEqual([]);
  });

  it('invalidates the queries that reach the model which it writes', async () => {
    const options = mutationOptions(() => api.tag.create({ data: { name: 'x' } }), { queryClient, schema: resourceSchema });
    await options.mutationFn(undefined);
    expect(outOfDate()).toEqual([POSTS_WITH_TAGS]);
  });

  it('invalidates the queries of nested writes, and of fluent calls', async () => {
    const make = () => api.post.update({ where: { id: 1 }, data: { author: { update: { name: 'x' } } } });
    await mutationOptions(make, { queryClient, schema: resourceSchema }).mutationFn(undefined);
    expect(outOfDate()).toEqual([POSTS, POSTS_WITH_TAGS, USERS_OF_COMMENTS, AUTHOR]);
  });

  it('invalidates the queries of rows that the database deletes by a cascade', async () => {
    const make = () => api.post.delete({ where: { id: 1 } });
    await mutationOptions(make, { queryClient, schema: resourceSchema }).mutationFn(undefined);
    // The database deletes a comment with its post.
    expect(outOfDate()).toEqual([POSTS, POSTS_WITH_TAGS, USERS_OF_COMMENTS, AUTHOR]);
  });

  it('invalidates every query of this package, and no other, where the client has no schema of the relations', async () => {
    await mutationOptions(() => api.tag.create({ data: { name: 'x' } }), { queryClient }).mutationFn(undefined);
    expect(outOfDate()).toEqual(ALL.slice(0, -1));
  });

  it('invalidates nothing where the call fails', async () => {
    const { fetch } = recordedFetch({ message: 'No.' }, 403);
    const failing = createRpcClient<PrismaClient>({ endpoint: '/api/rpc', fetch });
    const options = mutationOptions(() => failing.tag.create({ data: { name: 'x' } }), { queryClient });
    await expect(options.mutationFn(undefined)).rejects.toThrow('No.');
    expect(outOfDate()).toEqual([]);
  });

  it('invalidates the queries of given models by invalidateModels', async () => {
    await invalidateModels(queryClient, ['Country', 'comment'], resourceSchema);
    expect(outOfDate()).toEqual([USERS_OF_COMMENTS, COUNTRIES]);
  });
});

describe('retryOptions', () => {
  it.each([
    ['a network failure', new TypeError('fetch failed'), 0, true, 1000],
    ['the third time', new TypeError('fetch failed'), 3, false, 8000],
    ['a fault of the client', new RpcClientError({ status: 400, message: 'No.' }), 0, false, 1000],
    ['a server that is busy', new RpcClientError({ status: 503, message: 'Busy.', retryAfter: 30 }), 1, true, 30_000],
  ])('decide whether to retry, and after which delay: %s', (_, error, failures, again, delay) => {
    expect([retryOptions.retry(failures, error), retryOptions.retryDelay(failures, error)]).toEqual([again, delay]);
  });
});
