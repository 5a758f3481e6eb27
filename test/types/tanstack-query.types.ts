// Compiled, never run: what the types of the TanStack Query helpers promise.
import type { QueryClient, QueryObserverOptions } from '@tanstack/query-core';
import type { RpcClient } from '../../lib/client/index.js';
import { infiniteQueryOptions, mutationOptions, queryOptions } from '../../lib/tanstack-query/index.js';
import type { PrismaClient } from '../support/generated/prisma/client.js';
import { expectTypeOf } from './expect-type-of.js';

declare const api: RpcClient<PrismaClient>;
declare const queryClient: QueryClient;

export async function queriesHaveTheResultOfTheirCall(): Promise<void> {
  const options = queryOptions(api.post.findMany({ select: { title: true } }));
  expectTypeOf(await queryClient.query(options)).is<{ title: string }[]>(true);
  expectTypeOf(queryClient.getQueryData(options.queryKey)).is<{ title: string }[] | undefined>(true);
  expectTypeOf(await queryClient.query(queryOptions(api.post.findUnique({ where: { id: 1 } }).author({ select: { name: true } })))).is<{
    name: string;
  } | null>(true);
  // @ts-expect-error What is cached there is a list.
  queryClient.setQueryData(options.queryKey, 'x');
  // @ts-expect-error A promise is on its way already.
  queryOptions(Promise.resolve(1));
}

/** As every adapter takes them. */
export function observersTakeThem(): QueryObserverOptions<number> {
  return { ...queryOptions(api.post.count()), staleTime: 1000 };
}

export async function endlessListsHavePages(): Promise<void> {
  const options = infiniteQueryOptions(api.post.findMany({ select: { id: true }, take: 2 }));
  const { pages } = await queryClient.infiniteQuery(options);
  expectTypeOf(pages).is<{ id: number }[][]>(true);
  // @ts-expect-error One record has no pages.
  infiniteQueryOptions(api.post.findFirst());
}

export async function mutationsTakeVariables(): Promise<void> {
  const { mutationFn } = mutationOptions((title: string) => api.post.create({ data: { title, authorId: 1 }, select: { id: true } }));
  expectTypeOf(await mutationFn('x')).is<{ id: number }>(true);
  // @ts-expect-error A title is text.
  void mutationFn(1);
}
