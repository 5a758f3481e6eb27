import type { DataTag } from '@tanstack/query-core';
import type { CallSpec } from '../client/call-spec.js';
import type { Connection } from '../client/connection.js';
import { withOptions } from '../client/connect.js';
import { lazyCall } from '../client/lazy-call.js';
import type { LazyCall } from '../client/rpc-client.js';
import { buildQueryKey, readOf, type RpcQueryKey } from './query-key.js';
import { RpcClientError } from '../client/rpc-client-error.js';

/** What `useQuery`, `createQuery`, `injectQuery` and the methods of a QueryClient take. */
export interface RpcQueryOptions<Result> {
  readonly queryKey: DataTag<RpcQueryKey, Result>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Result>;
}

/**
 * The query of a read. The call is not sent by this: TanStack Query sends it when it is due, with its own abort signal, as often as it likes.
 *
 * @throws TypeError for a write, and for what is no call of a typed client
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

/** The tag exists in types only: TanStack Query reads from it what is cached under a key. */
export function taggedKey<Data>(key: RpcQueryKey): DataTag<RpcQueryKey, Data> {
  return key as DataTag<RpcQueryKey, Data>;
}

/** The same call once more, aborted by either signal. */
export async function sendAgain<Result>(spec: CallSpec, connection: Connection, signal: AbortSignal): Promise<Result> {
  const both = connection.signal ? AbortSignal.any([connection.signal, signal]) : signal;
  return (await lazyCall(spec, withOptions(connection, { signal: both }))) as Result;
}

/**
 * When a query is worth another attempt: after network failures and 5xx, three times, and as late as the server asks for. What a client did wrong stays
 * wrong; TanStack Query's default is three more attempts.
 *
 * @example
 * new QueryClient({ defaultOptions: { queries: retryOptions } });
 */
export const retryOptions = {
  retry: (failures: number, error: unknown): boolean => failures < 3 && !(error instanceof RpcClientError && error.status < 500),
  /** Milliseconds: 1 s, 2 s, 4 s, unless `Retry-After` says more. */
  retryDelay: (failures: number, error: unknown): number => {
    const asked = error instanceof RpcClientError ? (error.retryAfter ?? 0) : 0;
    return Math.max(1000 * 2 ** failures, 1000 * asked);
  },
} as const;
