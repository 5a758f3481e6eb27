/**
 * The typed client of the RPC style: for browsers and Node, without NestJS and Prisma at run time.
 *
 * @module nestjs-resource-api/client
 */
export { createRpcClient } from './create-rpc-client.js';
export { RpcClientError } from './rpc-client-error.js';
export { type RpcCallOptions, type RpcClientOptions, type RpcFetch, type RpcHeaders } from './rpc-client-options.js';
export { type LazyCall, type RpcClient, type RpcClientMethods, type RpcDelegate } from './rpc-client.js';
