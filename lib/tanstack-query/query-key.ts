import { encodeArgument } from '../client/encode-argument.js';
import { type CallSpec, isRead } from '../client/call-spec.js';
import type { LazyCall } from '../client/rpc-client.js';
import { type CallState, stateOf } from '../client/lazy-call.js';

/** The name of this package, the model as in `api.post`, the operation, its argument as JSON, and the `relations` of fluent calls. */
export type RpcQueryKey = readonly ['resource-api', model: string, operation: string, args: unknown, ...further: string[]];

/**
 * Returns the key of a call's result in the cache.
 *
 * The argument is encoded as it is sent, so that it may hold dates, bigints and Decimals although TanStack Query hashes keys as JSON. A prefix is a
 * key as well: `['resource-api', 'post']` matches every query of posts.
 *
 * @throws TypeError for a value that is no call of a typed client
 * @example
 * queryKey(api.post.findMany({ take: 3 })); // ['resource-api', 'post', 'findMany', { take: 3 }]
 */
export function queryKey(call: LazyCall): RpcQueryKey {
  return buildQueryKey(specOf(call));
}

export function buildQueryKey({ model, operation, args, relations }: CallSpec): RpcQueryKey {
  return ['resource-api', model, operation, encodeArgument(args ?? {}, `${model}.${operation}`).json, ...relations];
}

/** Returns the state of a call of the typed client. @throws TypeError for any other value */
function callOf(call: object): CallState {
  const state = stateOf(call);
  if (state) return state;
  throw new TypeError('This is no call of a typed client: give api.post.findMany(…) itself, not what a promise of it has become.');
}

export function specOf(call: object): CallSpec {
  return callOf(call).spec;
}

/** Returns the state of a read. @throws TypeError for a write, because TanStack Query repeats its queries */
export function readOf(call: object): CallState {
  const state = callOf(call);
  const { model, operation } = state.spec;
  if (isRead(state.spec)) return state;
  throw new TypeError(`${model}.${operation} is a write, which a query would repeat. Give it to mutationOptions.`);
}
