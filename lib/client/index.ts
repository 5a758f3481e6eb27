/**
 * The typed client of the RPC style: for browsers and Node, without NestJS and Prisma at run time.
 *
 * @module nestjs-resource-api/client
 */
export { createRpcClient } from './create-rpc-client.js';
export { RpcClientError, type RpcClientProblem } from './rpc-client-error.js';
export type { RpcBatchOptions, RpcCallOptions, RpcClientOptions, RpcFetch, RpcHeaders } from './rpc-client-options.js';
export type { LazyCall, RpcClient, RpcClientMethods, RpcDelegate } from './rpc-client.js';
export type {
  ActionDescription,
  ApiDescription,
  DescribedLimits,
  FieldDescription,
  FieldRight,
  KeyDescription,
  ModelDescription,
  RelationDescription,
} from '../rpc/protocol/api-description.js';
export type { ExposedAction, ExposedRight } from './exposed/exposable-schema.js';
export type { Exposed, ExposedBy, ExposedModel } from './exposed/exposed-by.js';
