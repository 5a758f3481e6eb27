import type { Exposed } from './exposed/exposed-by.js';
import type { ExposedDelegate, OwnCalls, Restoring } from './exposed/exposed-delegate.js';
import type { ApiDescription } from '../rpc/protocol/api-description.js';
import type { RpcOperationName } from '../rpc/protocol/rpc-operations.js';
import type { RpcCallOptions } from './rpc-client-options.js';

/**
 * The client that `createRpcClient` returns. It has the model delegates of a generated PrismaClient type, each with the operations of the RPC style
 * only, and `$transaction` and `$with`.
 *
 * The methods are picked from the generated types, not rewritten. So `select`, `include` and `omit` narrow a result, and wrong arguments fail to
 * compile, as they do on the PrismaClient. Global `omit` and result extensions apply as well.
 *
 * @typeParam Shown what the server exposes: `ExposedBy<typeof resourceSchema, typeof resources>`. Hidden members then have no type. Without it
 * everything in the Prisma schema has a type, and the server rejects what it hides
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
        readonly [Name in keyof PrismaClient as DelegateName<Name>]: RpcDelegate<PrismaClient[Name]>;
      });

/** The delegates of a client, as `$describe` takes them. */
type ModelName<PrismaClient, Shown> = Shown extends Exposed ? Uncapitalize<keyof Shown & string> : DelegateName<keyof PrismaClient>;

type DelegateName<Name> = Name extends `$${string}` | symbol | number ? never : Name;

/** The operations of one model. */
export type RpcDelegate<Delegate> = Pick<Delegate, RpcOperationName & keyof Delegate>;

export interface RpcClientMethods<PrismaClient, Shown = unknown, Actions = unknown> {
  /**
   * Sends several calls as one request, which the server runs as one transaction: all or nothing, in order.
   *
   * @param calls calls of this client that have not been awaited yet
   * @returns their results in order
   * @throws RpcClientError whose message names the call that failed, e.g. `operations[1]: …`; TypeError for anything but an unsent call
   * @example
   * const [post, count] = await api.$transaction([api.post.create({ data }), api.post.count()]);
   */
  $transaction<const Calls extends readonly LazyCall[]>(calls: Calls): Promise<{ -readonly [Index in keyof Calls]: Awaited<Calls[Index]> }>;

  /**
   * Returns what the caller can see and do: models, fields, relations, rights and actions. What is hidden from the caller is not in it.
   *
   * @param model describes only this model
   * @throws RpcClientError with status 400 for a model that is hidden from the caller, and where the server has turned it off
   * @example
   * const { models } = await api.$describe();
   */
  $describe(model?: ModelName<PrismaClient, Shown>): Promise<ApiDescription>;

  /**
   * Returns this client with further headers or an abort signal for its calls. Headers are added to the present ones; a signal replaces the present
   * one.
   *
   * @example
   * const posts = await api.$with({ signal: AbortSignal.timeout(5000) }).post.findMany();
   */
  $with(options: RpcCallOptions): RpcClient<PrismaClient, Shown, Actions>;
}

/**
 * A call that is sent when it is first awaited (by `then`, `catch` or `finally`), at most once. Its type is Prisma's `PrismaPromise`, or ZenStack's
 * equivalent. An ordinary promise is no LazyCall, because its request has already been sent.
 */
export interface LazyCall extends Promise<unknown> {
  readonly [Symbol.toStringTag]: 'PrismaPromise' | 'ZenStackPromise';
}
