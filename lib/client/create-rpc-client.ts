import { RPC_OPERATIONS } from '../rpc/protocol/rpc-operations.js';
import { descriptionRequest } from './build-request.js';
import type { Connection } from './connection.js';
import { setConnection } from './connection-of.js';
import { connect, withOptions } from './connect.js';
import { lazyCall, withOthers } from './lazy-call.js';
import type { RpcClient } from './rpc-client.js';
import type { RpcCallOptions, RpcClientOptions } from './rpc-client-options.js';
import { sendBatch } from './send-batch.js';
import { sendRequest } from './send-request.js';

/**
 * Creates a typed client of an RPC API, for browsers and Node. It has the calls of a PrismaClient, which it sends over HTTP.
 *
 * Dates, bigints, decimals (as decimal.js `Decimal`) and bytes (as `Uint8Array`) are the same on both ends. A call is sent when it is awaited. If the
 * server rejects it, the call throws `RpcClientError`.
 *
 * @typeParam PrismaClient the generated client's type; its code is never loaded
 * @typeParam Shown what the server exposes, by {@link ExposedBy}; left out, or `unknown`, the types are those of the whole Prisma schema
 * @typeParam Actions the server's own actions: `{ Task: TaskActions }`, the classes with `@ResourceActions` by Prisma's names of their models
 * @example
 * import { createRpcClient } from 'nestjs-resource-api/client';
 * import type { PrismaClient } from './generated/prisma/client.js';
 *
 * const api = createRpcClient<PrismaClient>({ endpoint: 'http://localhost:3000/api/rpc', headers: () => ({ authorization: token() }) });
 * const posts = await api.post.findMany({ where: { published: true }, include: { author: true } });
 */
export function createRpcClient<PrismaClient extends object, Shown = unknown, Actions = unknown>(
  options: RpcClientOptions,
): RpcClient<PrismaClient, Shown, Actions> {
  // The only cast from the proxy, which creates delegates by name, to the generated types.
  return buildClient(connect(options)) as RpcClient<PrismaClient, Shown, Actions>;
}

function buildClient(connection: Connection): object {
  const methods = {
    $transaction: (calls: readonly object[]) => sendBatch(connection, calls),
    $describe: (model?: string) => sendRequest(connection, descriptionRequest(model, connection)),
    $with: (options: RpcCallOptions) => buildClient(withOptions(connection, options)),
  };
  const delegates = new Map<string, object>();
  const client = withOthers(methods, isCallable, (name) => {
    const delegate = delegates.get(name) ?? buildDelegate(name, connection);
    delegates.set(name, delegate);
    return delegate;
  });
  setConnection(client, connection);
  return client;
}

/**
 * Whether a property name may name a model or an operation. `then` and `toJSON` may not: an async function that returns the client must not take it
 * for a promise, and `JSON.stringify` must print it as an object.
 */
function isCallable(name: string | symbol): name is string {
  return typeof name === 'string' && name !== 'then' && name !== 'toJSON' && !name.startsWith('$');
}

function buildDelegate(model: string, connection: Connection): object {
  const { ifMatch } = connection;
  const call = (operation: string) => (args?: unknown) =>
    lazyCall({ model, operation, args, relations: [], ...(ifMatch !== undefined && { ifMatch }) }, connection);
  const methods = Object.fromEntries(Object.keys(RPC_OPERATIONS).map((name) => [name, call(name)]));
  return withOthers(methods, isCallable, (name) => (methods[name] = call(name)));
}
