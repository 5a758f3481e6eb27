import { type CallSpec, isRead } from '../client/call-spec.js';
import { type CallState, stateOf } from '../client/lazy-call.js';

/** What is behind a call of the typed client. */
export function callOf(call: object): CallState {
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
