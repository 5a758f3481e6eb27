import type { Exposed } from './exposed/exposed-by.js';
import type { ExposedDelegate, OwnCalls, Restoring } from './exposed/exposed-delegate.js';
import type { RpcOperationName } from '../rpc/protocol/rpc-operations.js';
import type { RpcCallOptions } from './rpc-client-options.js';

/**
 * What `createRpcClient` returns: the model delegates of a generated PrismaClient type, each with the operations of the RPC style and
 * nothing else, beside `$transaction` and `$with`.
 *
 * The methods are the generated ones themselves, picked and not rewritten. So `select`, `include` and `omit` narrow a result, and wrong
 * arguments fail, as they do on the PrismaClient, global `omit` and result extensions included.
 *
 * @typeParam Shown what the server exposes: `ExposedBy<typeof resourceSchema, typeof resources>`. What it hides has no type then. Without it
 * everything in the Prisma schema has one, and the server refuses what it hides.
 * @typeParam Actions the server's own actions: `{ Task: TaskActions }`, the classes with `@ResourceActions` by Prisma's names of their models
 */
export type RpcClient<PrismaClient, Shown = unknown, Actions = unknown> = RpcClientMethods<PrismaClient, Shown, Actions> &
  (unknown extends Actions ? unknown : OwnCalls<PrismaClient, Actions>) &
  (Shown extends Exposed
    ? {
        readonly [Model in keyof Shown & string as Uncapitalize<Model>]: ExposedDelegate<PrismaClient, Shown, Model> &
          Restoring<PrismaClient, Shown, Model>;
      }
    : {
        readonly [Name in keyof PrismaClient as Name extends `$${string}` | symbol ? never : Name]: RpcDelegate<PrismaClient[Name]>;
      });

/** The operations of one model. */
export type RpcDelegate<Delegate> = Pick<Delegate, RpcOperationName & keyof Delegate>;

export interface RpcClientMethods<PrismaClient, Shown = unknown, Actions = unknown> {
  /**
   * Sends several calls as one request, which the server runs as one transaction: all or nothing, in order.
   *
   * @param calls calls of this client that nobody has awaited yet
   * @returns their results in order
   * @throws RpcClientError whose message names the call that failed, e.g. `operations[1]: …`; TypeError for anything but an unsent call
   * @example
   * const [post, count] = await api.$transaction([api.post.create({ data }), api.post.count()]);
   */
  $transaction<const Calls extends readonly LazyCall[]>(calls: Calls): Promise<{ -readonly [Index in keyof Calls]: Awaited<Calls[Index]> }>;

  /**
   * This client with further headers or an abort signal for its calls. Headers are added to those that it has; a signal replaces its own.
   *
   * @example
   * const posts = await api.$with({ signal: AbortSignal.timeout(5000) }).post.findMany();
   */
  $with(options: RpcCallOptions): RpcClient<PrismaClient, Shown, Actions>;
}

/**
 * A call that is sent when it is first awaited (by `then`, `catch` or `finally`), at most once: the calls of this client, whose
 * type is Prisma's `PrismaPromise`, or ZenStack's equal of it. An ordinary promise is none, for its request is on the way already.
 */
export interface LazyCall extends Promise<unknown> {
  readonly [Symbol.toStringTag]: 'PrismaPromise' | 'ZenStackPromise';
}
