import { encodeArgument } from '../client/encode-argument.js';
import { type CallSpec, isRead } from '../client/call-spec.js';
import type { LazyCall } from '../client/rpc-client.js';
import { type CallState, stateOf } from '../client/lazy-call.js';

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
  return buildQueryKey(specOf(call));
}

export function buildQueryKey({ model, operation, args, relations }: CallSpec): RpcQueryKey {
  return ['resource-api', model, operation, encodeArgument(args ?? {}, `${model}.${operation}`).json, ...relations];
}

/** What is behind a call of the typed client. */
function callOf(call: object): CallState {
  const state = stateOf(call);
  if (state) return state;
  throw new TypeError('This is no call of a typed client: give api.post.findMany(…) itself, not what a promise of it has become.');
}

export function specOf(call: object): CallSpec {
  return callOf(call).spec;
}

/** A query is sent again and again: its call must be a read. */
export function readOf(call: object): CallState {
  const state = callOf(call);
  const { model, operation } = state.spec;
  if (isRead(state.spec)) return state;
  throw new TypeError(`${model}.${operation} is a write, which a query would repeat. Give it to mutationOptions.`);
}
