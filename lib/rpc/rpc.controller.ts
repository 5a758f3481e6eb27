import { All, Inject, Param, Req, Res } from '@nestjs/common';
import { type ApiReply } from '../platform/api-request.js';
import { ApiRequests } from '../platform/api-requests.js';
import { type PlatformRequest } from '../resource-api.options.js';
import { RpcService } from './rpc.service.js';

/** The variable parts of an RPC path, percent-decoded. */
interface RpcParams {
  readonly model: string;
  readonly operation: string;
}

/**
 * The RPC routes `/<model>/<operation>`. `mountControllers` makes the subclass that carries prefix, filter and enhancers.
 *
 * `@Res()` tells Nest that the answer is ours to send; {@link SendReplyInterceptor} does it.
 */
export class RpcController {
  constructor(
    @Inject(RpcService) private readonly service: RpcService,
    @Inject(ApiRequests) private readonly requests: ApiRequests,
  ) {}

  @All(':model/:operation')
  operation(@Req() platformRequest: PlatformRequest, @Param() params: RpcParams, @Res() _response: unknown): Promise<ApiReply> {
    return this.service.execute(params, this.requests.of(platformRequest));
  }
}
