import type { DataProvider, GetListParams, GetManyReferenceParams, PaginationPayload, RaRecord, SortPayload } from 'ra-core';
import { AdminData, type ListQuery } from '../admin-data/admin-data.js';
import type { AdminClient } from '../admin-data/admin-client.js';
import { contextOf, rowOf } from '../admin-data/call-context.js';
import { allOf, conditionOf, type FilterScope, whereOf } from '../admin-data/filter.js';
import type { Row } from '../admin-data/ids.js';
import type { Selection } from '../admin-data/records.js';

/** The members of `meta` that every method reads. */
export interface AdminMeta extends Selection {
  /** The version that a write may change: an entity tag (`'"3"'`), or the value of the version field. */
  readonly etag?: string | number;
}

/** The parameters of an action. */
export interface ActParams {
  /** The record, for an action on one. */
  readonly id?: string | number;
  /** The argument of the action: the members of its DTO. */
  readonly data?: unknown;
  readonly meta?: AdminMeta;
  readonly signal?: AbortSignal;
}

/** The data provider of {@link reactAdminDataProvider}. */
export type ResourceApiDataProvider = DataProvider & {
  /**
   * Calls an action of the application (`@ResourceAction`), or `restore` of a soft-deleted record.
   *
   * @returns the record that the action returns, or its data
   * @throws HttpError with status 404 for an action that the caller cannot call
   * @example
   * await dataProvider.act('post', 'publish', { id: 1, data: { note: 'Ready' } });
   */
  act(resource: string, name: string, params?: ActParams): Promise<{ data: unknown }>;
};

/**
 * Returns a data provider for react-admin 5. Resources are the models by their names in the client: `post`.
 *
 * Records are JSON: BigInt and Decimal are text, DateTime is ISO 8601, Bytes are base64. `id` is the primary key; that of a compound key is one text,
 * as in REST. Errors are `HttpError`s, with messages by field in `body.errors`.
 *
 * @param client of `createRpcClient`, typed or not
 * @throws TypeError for any other client
 * @example
 * const dataProvider = reactAdminDataProvider(createRpcClient({ endpoint: '/api/rpc' }));
 */
export function reactAdminDataProvider(client: AdminClient): ResourceApiDataProvider {
  const data = new AdminData(client);
  // `as`: records have the types that the caller of each method names, which no description can check.
  return { ...readsOf(data), ...writesOf(data), supportAbortSignal: true } as unknown as ResourceApiDataProvider;
}

type Provider = DataProvider;
type Params<Method extends 'getOne' | 'getMany' | 'create' | 'update' | 'updateMany' | 'delete' | 'deleteMany'> = Parameters<
  Provider[Method]
>[1];

function readsOf(data: AdminData): object {
  return {
    getList: (resource: string, params: GetListParams) =>
      data.list(resource, { where: (scope) => whereOf(filterOf(params), scope), ...toPage(params) }, contextOf(params.meta, params.signal)),
    getOne: async (resource: string, params: Params<'getOne'>) => ({
      data: await data.one(resource, params.id, contextOf(params.meta, params.signal)),
    }),
    getMany: async (resource: string, params: Params<'getMany'>) => ({
      data: await data.many(resource, params.ids, contextOf(params.meta, params.signal)),
    }),
    getManyReference: (resource: string, params: GetManyReferenceParams) => {
      const where = (scope: FilterScope): Row => allOf([conditionOf(params.target, params.id, scope), whereOf(filterOf(params), scope)]);
      return data.list(resource, { where, ...toPage(params) }, contextOf(params.meta, params.signal));
    },
  };
}

function writesOf(data: AdminData): object {
  return {
    create: async (resource: string, params: Params<'create'>) => ({
      data: await data.create(resource, rowOf(params.data), contextOf(params.meta)),
    }),
    update: async (resource: string, params: Params<'update'>) => {
      const [values, before] = [rowOf(params.data), params.previousData as RaRecord | undefined];
      return { data: await data.update(resource, { id: params.id, values, before, ...contextOf(params.meta) }) };
    },
    updateMany: async (resource: string, params: Params<'updateMany'>) => ({
      data: idsOf(await data.updateMany(resource, params.ids, rowOf(params.data), contextOf(params.meta))),
    }),
    delete: async (resource: string, params: Params<'delete'>) => ({
      data: await data.delete(resource, params.id, params.previousData, contextOf(params.meta)),
    }),
    deleteMany: async (resource: string, params: Params<'deleteMany'>) => ({
      data: idsOf(await data.deleteMany(resource, params.ids, contextOf(params.meta))),
    }),
    act: async (resource: string, name: string, params: ActParams = {}) => ({
      data: await data.act(resource, name, { id: params.id, data: params.data, ...contextOf(params.meta, params.signal) }),
    }),
  };
}

function filterOf({ filter }: { readonly filter?: unknown }): Row {
  return rowOf(filter);
}

function toPage({ pagination, sort }: { readonly pagination?: PaginationPayload; readonly sort?: SortPayload }): Omit<ListQuery, 'where'> {
  const order = sort?.order.toUpperCase() === 'DESC' ? 'desc' : 'asc';
  return {
    sorters: sort?.field ? [{ field: sort.field, order }] : [],
    ...(pagination && { skip: (pagination.page - 1) * pagination.perPage, take: pagination.perPage }),
  };
}

function idsOf(records: readonly Row[]): unknown[] {
  return records.map(({ id }) => id);
}
