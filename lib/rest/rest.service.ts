import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ApiReply, ApiRequest } from '../http/api-request.js';
import { READ_METHODS } from '../http/read-methods.js';
import type { EndpointRequest, Reading, StyleService } from '../platform/style.js';
import { checkAccept, NO_EXTENSIONS, requestedExport, WITH_OPERATIONS } from './protocol/media-type.js';
import type { RequestedOperations } from './parse/operations/read-operations.js';
import type { PathParameters } from './parse/target.js';
import type { PlanContext } from './plan/plan-context.js';
import { REST_CONTEXTS, type RestContexts } from './plan/rest-contexts.js';
import { RestActionService } from './rest-action.service.js';
import {
  allowedMethods,
  endpointKind,
  methodHeaders,
  type NamedAction,
  namedAction,
  OPERATIONS_ENDPOINT,
  type RestEndpointKind,
  restOperation,
  type RestOperationName,
} from './protocol/rest-endpoints.js';
import { type ExportRequest, RestExportService } from './rest-export.service.js';
import { RestOperationsService } from './rest-operations.service.js';
import { RestReadService } from './rest-read.service.js';
import { RestWriteService } from './rest-write.service.js';

type Operation = (params: PathParameters, request: ApiRequest, context: PlanContext) => Promise<ApiReply>;

/** Dispatches requests to the services of the REST endpoints. {@link REST_ENDPOINTS} lists the operations of each path. */
@Injectable()
export class RestService implements StyleService {
  private readonly operations: Readonly<Record<RestOperationName, Operation>>;

  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    @Inject(REST_CONTEXTS) private readonly contexts: RestContexts,
    @Inject(RestReadService) reads: RestReadService,
    @Inject(RestWriteService) writes: RestWriteService,
    @Inject(RestOperationsService) private readonly batches: RestOperationsService,
    @Inject(RestActionService) private readonly actions: RestActionService,
    @Inject(RestExportService) private readonly exports: RestExportService,
  ) {
    this.operations = {
      fetchCollection: reads.fetchCollection.bind(reads),
      fetchResource: reads.fetchResource.bind(reads),
      fetchRelated: reads.fetchRelated.bind(reads),
      fetchRelationship: reads.fetchRelationship.bind(reads),
      createResource: writes.createResource.bind(writes),
      updateResource: writes.updateResource.bind(writes),
      deleteResource: writes.deleteResource.bind(writes),
      addToRelationship: writes.addToRelationship.bind(writes),
      replaceRelationship: writes.replaceRelationship.bind(writes),
      removeFromRelationship: writes.removeFromRelationship.bind(writes),
      replaceRelated: writes.replaceRelated.bind(writes),
    };
  }

  async execute({ endpoint, params, request }: EndpointRequest, { parsed }: Reading, surface: ResourceModel): Promise<ApiReply> {
    const context = this.contexts.of(surface);
    if (endpoint.name === OPERATIONS_ENDPOINT.name) return this.answerOperations(request, parsed as RequestedOperations, context);
    const kind = endpointKind(endpoint.name);
    const own = namedAction(kind, params, surface);
    if (request.method === 'OPTIONS') return { status: 204, headers: methodHeaders(kind, own) };
    const path = { ...params, type: params['type'] ?? '' };
    const exported = this.export(kind, path, { request, context });
    if (exported) return exported;
    const { operations, strict } = context.settings;
    // Clients that support the extension may name it with every request (AO-03).
    checkAccept(request.headers['accept'], operations && !strict ? WITH_OPERATIONS : NO_EXTENSIONS);
    if (own && request.method === 'POST') return this.actions.run(own, { params: path, request, context });
    return this.operationOf(kind, request, own)(path, request, context);
  }

  private async answerOperations(request: ApiRequest, requested: RequestedOperations, context: PlanContext): Promise<ApiReply> {
    const { method, headers } = request;
    const Allow = OPERATIONS_ENDPOINT.allow;
    if (method === 'OPTIONS') return { status: 204, headers: { Allow } };
    checkAccept(headers['accept'], WITH_OPERATIONS);
    if (method === 'POST') return this.batches.execute(request, requested, context);
    if (headers['x-http-method-override'] !== undefined) {
      throw new ApiError('bad-request', 'Operations come by POST, which nothing overrides.', {
        source: { header: 'X-HTTP-Method-Override' },
      });
    }
    throw new ApiError('invalid-verb', `${cut(method)} is not allowed here; ${Allow} is.`, { headers: { Allow } });
  }

  private export(
    kind: RestEndpointKind,
    path: PathParameters,
    { request, context }: Omit<ExportRequest, 'requested'>,
  ): Promise<ApiReply> | undefined {
    if (!context.settings.export || !READ_METHODS.has(request.method)) return undefined;
    const requested = requestedExport(request.headers['accept']);
    return requested && this.exports.fetch(kind, path, { requested, request, context });
  }

  private operationOf(kind: RestEndpointKind, { method }: ApiRequest, own: NamedAction | undefined): Operation {
    const found = restOperation(kind, method);
    if (found !== undefined) return this.operations[found.operation];
    throw new ApiError('invalid-verb', `${cut(method)} is not allowed here; ${allowedMethods(kind, own)} are.`, {
      headers: methodHeaders(kind, own),
    });
  }
}
