import type { DataTag } from '@tanstack/query-core';
import type { CallSpec } from '../client/call-spec.js';
import type { Connection } from '../client/connection.js';
import { withOptions } from '../client/connect.js';
import { lazyCall } from '../client/lazy-call.js';
import type { LazyCall } from '../client/rpc-client.js';
import { buildQueryKey, readOf, type RpcQueryKey } from './query-key.js';

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
