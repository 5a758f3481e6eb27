import { All, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import { type ApiReply, type ApiRequest } from '../platform/api-request.js';
import { ApiRequests } from '../platform/api-requests.js';
import { REST_SETTINGS } from '../resource-api.constants.js';
import { type PlatformRequest } from '../resource-api.options.js';
import { checkAccept } from './media-type.js';
import { allowedMethods, REST_ENDPOINTS, type RestEndpointKind, restOperation } from './rest-endpoints.js';
import { RestOperations, type RestParams } from './rest-operations.service.js';
import { type RestSettings } from './rest-settings.js';

/**
 * The REST routes: one method a kind of path, for all HTTP methods, so that a wrong one is answered 405 in JSON:API's shape. What each
 * method of a path does stands in {@link REST_ENDPOINTS}. `mountControllers` makes the subclass that carries prefix, filter and enhancers.
 *
 * `@Res()` tells Nest that the answer is ours to send; {@link SendReplyInterceptor} does it.
 */
export class RestController {
  constructor(
    @Inject(RestOperations) private readonly operations: RestOperations,
    @Inject(ApiRequests) private readonly requests: ApiRequests,
    @Inject(REST_SETTINGS) private readonly settings: RestSettings,
  ) {}

  @All(REST_ENDPOINTS.collection.path)
  collection(@Req() request: PlatformRequest, @Param() params: RestParams, @Res() _response: unknown): Promise<ApiReply> {
    return this.answer('collection', params, request);
  }

  @All(REST_ENDPOINTS.resource.path)
  resource(@Req() request: PlatformRequest, @Param() params: RestParams, @Res() _response: unknown): Promise<ApiReply> {
    return this.answer('resource', params, request);
  }

  @All(REST_ENDPOINTS.relationship.path)
  relationship(@Req() request: PlatformRequest, @Param() params: RestParams, @Res() _response: unknown): Promise<ApiReply> {
    return this.answer('relationship', params, request);
  }

  @All(REST_ENDPOINTS.related.path)
  related(@Req() request: PlatformRequest, @Param() params: RestParams, @Res() _response: unknown): Promise<ApiReply> {
    return this.answer('related', params, request);
  }

  private async answer(kind: RestEndpointKind, params: RestParams, platformRequest: PlatformRequest): Promise<ApiReply> {
    const request = this.requests.of(platformRequest);
    if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: allowedMethods(kind) } };
    checkAccept(request.headers['accept']);
    return this.operationOf(kind, request)(params, request);
  }

  private operationOf(kind: RestEndpointKind, { method }: ApiRequest): (params: RestParams, request: ApiRequest) => Promise<ApiReply> {
    const found = restOperation(kind, method);
    if (found !== undefined) return this.operations.of(found.operation);
    const allow = allowedMethods(kind);
    throw new ApiError('invalid-verb', `${cut(method)} is not allowed here; ${allow} are.`, { headers: { Allow: allow } });
  }
}
