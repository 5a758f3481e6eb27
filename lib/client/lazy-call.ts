import { callRequest } from './build-request.js';
import { type CallSpec, followRelation, isRead, operationOf, pickRelated } from './call-spec.js';
import type { Connection } from './connection.js';
import type { LazyCall } from './rpc-client.js';
import { sendRequest } from './send-request.js';

const states = new WeakMap<object, CallState>();

/**
 * Returns a call that is sent when it is first awaited. If the result is one record, the call has Prisma's fluent methods. They treat any other name
 * as a relation, and return the call that reads this relation alone, e.g. `post.findUnique(…).author()`.
 */
export function lazyCall(spec: CallSpec, connection: Connection): LazyCall {
  const state = new CallState(spec, connection);
  const call: LazyCall = {
    then: (onFulfilled, onRejected) => state.send().then(onFulfilled, onRejected),
    catch: (onRejected) => state.send().catch(onRejected),
    finally: (onFinally) => state.send().finally(onFinally),
    [Symbol.toStringTag]: 'PrismaPromise',
  };
  const fluent = ROW_RESULTS.has(operationOf(spec).result) ? withRelations(call, state) : call;
  states.set(fluent, state);
  return fluent;
}

/** Returns the state of a call of this client; undefined for any other value. */
export function stateOf(call: object): CallState | undefined {
  return states.get(call);
}

/** The specification of a call, and its result once it is sent. */
export class CallState {
  private answer: Promise<unknown> | undefined;

  constructor(
    readonly spec: CallSpec,
    readonly connection: Connection,
  ) {}

  get isSent(): boolean {
    return this.answer !== undefined;
  }

  send(): Promise<unknown> {
    return this.answer ?? this.settleBy(this.request());
  }

  /** Sets the result of the call to that of a batch. */
  settleBy(result: Promise<unknown>): Promise<unknown> {
    return (this.answer = result.then((value) => pickRelated(value, this.spec.relations)));
  }

  /** Sends the call. The method is async so that an argument that cannot be sent rejects, as every other fault does. */
  private async request(): Promise<unknown> {
    const { spec, connection } = this;
    const { ifMatch } = spec;
    const request = { ...callRequest(spec, connection), ...(ifMatch !== undefined && { ifMatch }) };
    return connection.batches && isRead(spec) ? connection.batches.add({ spec, connection, request }) : sendRequest(connection, request);
  }
}

const ROW_RESULTS: ReadonlySet<string> = new Set(['row', 'row-or-null']);

function withRelations(call: LazyCall, { spec, connection }: CallState): LazyCall {
  const isRelation = (name: string | symbol): name is string => typeof name === 'string';
  return withOthers(call, isRelation, (name) => (args?: unknown) => lazyCall(followRelation(spec, name, args), connection));
}

/** Returns an object that creates missing members on access, if their names are accepted by `mayBe`. */
export function withOthers<Own extends object>(
  own: Own,
  mayBe: (name: string | symbol) => name is string,
  make: (name: string) => unknown,
): Own {
  return new Proxy(own, {
    get: (target, name): unknown => (!mayBe(name) || name in target ? Reflect.get(target, name) : make(name)),
  });
}
