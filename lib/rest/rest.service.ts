import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import type { ApiReply, ApiRequest } from '../platform/api-request.js';
import type { Asked, StyleService } from '../platform/style.js';
import type { PathParameters } from './parse/parse-target.js';
import { checkAccept } from './media-type.js';
import { allowedMethods, type RestEndpointKind, restOperation, type RestOperationName } from './rest-endpoints.js';
import { RestReadService } from './rest-read.service.js';
import { RestWriteService } from './rest-write.service.js';

type Operation = (params: PathParameters, request: ApiRequest) => Promise<ApiReply>;

/** Handles the endpoints of the REST style. {@link REST_ENDPOINTS} says what each method of a path does. */
@Injectable()
export class RestService implements StyleService {
  private readonly operations: Readonly<Record<RestOperationName, Operation>>;

  constructor(@Inject(RestReadService) reads: RestReadService, @Inject(RestWriteService) writes: RestWriteService) {
    this.operations = {
      fetchCollection: (params, request) => reads.fetchCollection(params, request),
      fetchResource: (params, request) => reads.fetchResource(params, request),
      fetchRelated: (params, request) => reads.fetchRelated(params, request),
      fetchRelationship: (params, request) => reads.fetchRelationship(params, request),
      createResource: (params, request) => writes.createResource(params, request),
      updateResource: (params, request) => writes.updateResource(params, request),
      deleteResource: (params, request) => writes.deleteResource(params, request),
      addToRelationship: (params, request) => writes.addToRelationship(params, request),
      replaceRelationship: (params, request) => writes.replaceRelationship(params, request),
      removeFromRelationship: (params, request) => writes.removeFromRelationship(params, request),
      replaceRelated: (params, request) => writes.replaceRelated(params, request),
    };
  }

  async answer({ endpoint, params, request }: Asked): Promise<ApiReply> {
    const kind = endpoint.name as RestEndpointKind;
    if (request.method === 'OPTIONS') return { status: 204, headers: { Allow: allowedMethods(kind) } };
    checkAccept(request.headers['accept']);
    return this.operationOf(kind, request)({ ...params, type: params['type'] ?? '' }, request);
  }

  private operationOf(kind: RestEndpointKind, { method }: ApiRequest): Operation {
    const found = restOperation(kind, method);
    if (found !== undefined) return this.operations[found.operation];
    const allow = allowedMethods(kind);
    throw new ApiError('invalid-verb', `${cut(method)} is not allowed here; ${allow} are.`, { headers: { Allow: allow } });
  }
}
