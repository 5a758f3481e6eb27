import type { CrudSort, DataProvider, GetListParams, MetaQuery, Pagination } from '@refinedev/core';
import { AdminData } from '../admin-data/admin-data.js';
import type { AdminClient } from '../admin-data/admin-client.js';
import { type CallContext, contextOf, rowOf } from '../admin-data/call-context.js';
import { sendCustom } from './send-custom.js';
import { whereOfFilters } from './where-of-filters.js';

/**
 * Returns a data provider for refine 5. Resources are the models by their names in the client: `post`.
 *
 * Records are JSON: BigInt and Decimal are text, DateTime is ISO 8601, Bytes are base64. `id` is the primary key; that of a compound key is one text,
 * as in REST. `meta` takes `select`, `include` and `omit` of Prisma, `ids` (relations whose ids a record has), and `etag` (the version that a write
 * may change). Errors are `HttpError`s, with messages by field in `errors`.
 *
 * @param client of `createRpcClient`, typed or not
 * @throws TypeError for any other client
 * @example
 * <Refine dataProvider={refineDataProvider(createRpcClient({ endpoint: '/api/rpc' }))} />
 */
export function refineDataProvider(client: AdminClient): Required<DataProvider> {
  const data = new AdminData(client);
  // `as`: records have the types that the caller of each method names, which no description can check.
  return { ...readsOf(data), ...writesOf(data), ...manyWritesOf(data) } as unknown as Required<DataProvider>;
}

type Params<Method extends keyof DataProvider> = Parameters<Required<DataProvider>[Method]>[0];

function readsOf(data: AdminData): object {
  return {
    getApiUrl: () => data.connection.endpoint,
    getList: ({ resource, pagination, sorters, filters, meta }: GetListParams) =>
      data.list(
        resource,
        { where: (scope) => whereOfFilters(filters, scope), sorters: sorters ?? NO_SORTERS, ...toPage(pagination) },
        callContext(meta),
      ),
    getOne: async ({ resource, id, meta }: Params<'getOne'>) => ({
      data: await data.one(resource, id, callContext(meta)),
    }),
    getMany: async ({ resource, ids, meta }: Params<'getMany'>) => ({
      data: await data.many(resource, ids, callContext(meta)),
    }),
    custom: async (params: Params<'custom'>) => ({ data: await sendCustom(data.connection, params, params.meta?.queryContext?.signal) }),
  };
}

function writesOf(data: AdminData): object {
  return {
    create: async ({ resource, variables, meta }: Params<'create'>) => ({
      data: await data.create(resource, rowOf(variables), callContext(meta)),
    }),
    update: async ({ resource, id, variables, meta }: Params<'update'>) => ({
      data: await data.update(resource, { id, values: rowOf(variables), ...callContext(meta) }),
    }),
    deleteOne: async ({ resource, id, meta }: Params<'deleteOne'>) => ({
      data: await data.delete(resource, id, undefined, callContext(meta)),
    }),
  };
}

function manyWritesOf(data: AdminData): object {
  return {
    createMany: async ({ resource, variables, meta }: Params<'createMany'>) => ({
      data: await data.createMany(resource, [variables].flat().map(rowOf), callContext(meta)),
    }),
    updateMany: async ({ resource, ids, variables, meta }: Params<'updateMany'>) => ({
      data: await data.updateMany(resource, ids, rowOf(variables), callContext(meta)),
    }),
    deleteMany: async ({ resource, ids, meta }: Params<'deleteMany'>) => ({
      data: await data.deleteMany(resource, ids, callContext(meta)),
    }),
  };
}

/** Returns what a call takes from `meta`, with the signal of its query. */
function callContext(meta: MetaQuery | undefined): CallContext {
  return contextOf(meta, meta?.queryContext?.signal);
}

const NO_SORTERS: readonly CrudSort[] = [];

/** Returns the page that the server is to return: everything, where refine itself divides the records into pages. */
function toPage({ mode = 'server', currentPage = 1, pageSize = 10 }: Pagination = {}): { skip?: number; take?: number } {
  return mode === 'server' ? { skip: (currentPage - 1) * pageSize, take: pageSize } : {};
}
