import type { DataTag } from '@tanstack/query-core';
import type { CallSpec } from '../client/call-spec.js';
import type { Connection } from '../client/connection.js';
import { withOptions } from '../client/connect.js';
import { lazyCall } from '../client/lazy-call.js';
import type { LazyCall } from '../client/rpc-client.js';
import { buildQueryKey, readOf, type RpcQueryKey } from './query-key.js';
import { RpcClientError } from '../client/rpc-client-error.js';

/** The options of `useQuery`, `createQuery`, `injectQuery` and the methods of a QueryClient. */
export interface RpcQueryOptions<Result> {
  readonly queryKey: DataTag<RpcQueryKey, Result>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Result>;
}

/**
 * Returns the options of a query for a read. The call itself is not sent: TanStack Query sends copies of it, with its own abort signal, as often as
 * needed.
 *
 * @throws TypeError for a write, and for a value that is no call of a typed client
 * @example
 * const { data } = useQuery(queryOptions(api.post.findMany({ where: { published: true }, include: { author: true } })));
 * queryClient.getQueryData(queryOptions(api.post.count()).queryKey); // number or undefined
 */
export function queryOptions<Call extends LazyCall>(call: Call): RpcQueryOptions<Awaited<Call>> {
  const { spec, connection } = readOf(call);
  return {
    queryKey: taggedKey<Awaited<Call>>(buildQueryKey(spec)),
    queryFn: ({ signal }) => sendAgain<Awaited<Call>>(spec, connection, signal),
  };
}

/** Adds a tag that exists in types only. TanStack Query infers from it the type of the data that is cached under the key. */
export function taggedKey<Data>(key: RpcQueryKey): DataTag<RpcQueryKey, Data> {
  return key as DataTag<RpcQueryKey, Data>;
}

/** Sends a copy of a call. Either signal aborts it. */
export async function sendAgain<Result>(spec: CallSpec, connection: Connection, signal: AbortSignal): Promise<Result> {
  const both = connection.signal ? AbortSignal.any([connection.signal, signal]) : signal;
  return (await lazyCall(spec, withOptions(connection, { signal: both }))) as Result;
}

/**
 * Options that retry a query up to three times after network failures and 5xx, not before the time in `Retry-After`. Other errors are not retried,
 * because the same request would fail again. TanStack Query's default retries every error three times.
 *
 * @example
 * new QueryClient({ defaultOptions: { queries: retryOptions } });
 */
export const retryOptions = {
  retry: (failures: number, error: unknown): boolean => failures < 3 && !(error instanceof RpcClientError && error.status < 500),
  /** Returns milliseconds: 1 s, 2 s, 4 s, or the time in `Retry-After` if it is longer. */
  retryDelay: (failures: number, error: unknown): number => {
    const seconds = error instanceof RpcClientError ? (error.retryAfter ?? 0) : 0;
    return Math.max(1000 * 2 ** failures, 1000 * seconds);
  },
} as const;
