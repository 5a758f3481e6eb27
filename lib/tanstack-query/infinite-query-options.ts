import type { DataTag, InfiniteData } from '@tanstack/query-core';
import type { CallSpec } from '../client/call-spec.js';
import type { LazyCall } from '../client/rpc-client.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { buildQueryKey, readOf, type RpcQueryKey } from './query-key.js';
import { sendAgain, taggedKey } from './query-options.js';

/** The options of `useInfiniteQuery` and its equivalents. The parameter of a page is the number of records before it. */
export interface InfiniteRpcQueryOptions<Page> {
  readonly queryKey: DataTag<RpcQueryKey, InfiniteData<Page, number>>;
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: number }) => Promise<Page>;
  readonly initialPageParam: number;
  /** Returns undefined after a page that is not full. */
  readonly getNextPageParam: (lastPage: Page, pages: readonly Page[]) => number | undefined;
}

/**
 * Returns the options of an infinite query of a `findMany`, whose `take` is the size of a page. Its `orderBy` should end with a unique field, because
 * otherwise records may move between pages.
 *
 * @throws TypeError for a call without `take`, and for any other than `findMany`
 * @example
 * const posts = useInfiniteQuery(infiniteQueryOptions(api.post.findMany({ orderBy: { id: 'desc' }, take: 20 })));
 */
export function infiniteQueryOptions<Call extends LazyCall & Promise<readonly unknown[]>>(
  call: Call,
): InfiniteRpcQueryOptions<Awaited<Call>> {
  const { spec, connection } = readOf(call);
  const { args, take, skip } = pageOf(spec);
  return {
    queryKey: taggedKey<InfiniteData<Awaited<Call>, number>>([...buildQueryKey(spec), 'infinite']),
    queryFn: ({ signal, pageParam }) => sendAgain<Awaited<Call>>({ ...spec, args: { ...args, skip: pageParam } }, connection, signal),
    initialPageParam: skip,
    getNextPageParam: (lastPage, pages) => (lastPage.length < take ? undefined : pages.reduce((sum, page) => sum + page.length, skip)),
  };
}

function pageOf({ model, operation, args }: CallSpec): { readonly args: object; readonly take: number; readonly skip: number } {
  const given = isPlainObject(args) ? args : {};
  const { take, skip = 0 } = given;
  if (operation === 'findMany' && typeof take === 'number' && take > 0 && typeof skip === 'number') return { args: given, take, skip };
  throw new TypeError(`An infinite query needs findMany with take, the size of its pages; ${model}.${operation} has none.`);
}
