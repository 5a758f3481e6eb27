import { All, Inject, Req, Res } from '@nestjs/common';
import { type ApiReply } from '../platform/api-request.js';
import { ApiRequests } from '../platform/api-requests.js';
import { type PlatformRequest } from '../resource-api.options.js';
import { RPC_BATCH } from './rpc-operations.js';
import { RpcService } from './rpc.service.js';

/** The RPC route of batches, in a controller of its own since its guards run differently: once per operation (`BatchGuard`). */
export class RpcBatchController {
  constructor(
    @Inject(RpcService) private readonly service: RpcService,
    @Inject(ApiRequests) private readonly requests: ApiRequests,
  ) {}

  @All(`${RPC_BATCH.model}/${RPC_BATCH.name}`)
  sequential(@Req() platformRequest: PlatformRequest, @Res() _response: unknown): Promise<ApiReply> {
    return this.service.executeBatch(this.requests.of(platformRequest));
  }
}
