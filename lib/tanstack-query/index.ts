/**
 * The typed client's calls as options of TanStack Query 5, for React, Vue, Solid, Svelte and Angular alike.
 *
 * @module nestjs-resource-api/tanstack-query
 */
export { infiniteQueryOptions, type InfiniteRpcQueryOptions } from './infinite-query-options.js';
export { invalidateModels, type InvalidatedClient } from './invalidate-models.js';
export { mutationOptions, type InvalidationOptions, type RpcMutationOptions } from './mutation-options.js';
export { queryKey, type RpcQueryKey } from './query-key.js';
export { queryOptions, retryOptions, type RpcQueryOptions } from './query-options.js';
export { type RelationSchema } from './related-models.js';
