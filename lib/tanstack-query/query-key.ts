import { encodeArgument } from '../client/encode-argument.js';
import type { CallSpec } from '../client/call-spec.js';
import type { LazyCall } from '../client/rpc-client.js';
import { specOf } from './spec-of.js';

/** First the name of this package, then the model as in `api.post`, the operation, and its argument as JSON; `relations` of fluent calls last. */
export type RpcQueryKey = readonly ['resource-api', model: string, operation: string, args: unknown, ...further: string[]];

/**
 * The key of a call's result in the cache.
 *
 * The values of the argument are written as they are sent, so that dates, bigints and Decimals have a place in it. Its beginnings are keys of
 * their own: `['resource-api', 'post']` is every query of posts.
 *
 * @throws TypeError for what is no call of a typed client
 * @example
 * queryKey(api.post.findMany({ take: 3 })); // ['resource-api', 'post', 'findMany', { take: 3 }]
 */
export function queryKey(call: LazyCall): RpcQueryKey {
  return keyOf(specOf(call));
}

export function keyOf({ model, operation, args, relations }: CallSpec): RpcQueryKey {
  return ['resource-api', model, operation, encodeArgument(args ?? {}, `${model}.${operation}`).json, ...relations];
}
