import type { ApiDescription } from '../rpc/protocol/api-description.js';
import type { RpcCallOptions } from '../client/rpc-client-options.js';

/** A client of `createRpcClient`, of any schema or untyped. */
export interface AdminClient {
  $describe(model?: never): Promise<ApiDescription>;
  $with(options: RpcCallOptions): object;
}
