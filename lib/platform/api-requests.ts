import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import { type DataClient } from '../data-client/data-client.js';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { DATA_CLIENT, RESOURCE_API_OPTIONS } from '../resource-api.constants.js';
import { type PlatformRequest, type ResourceApiOptions } from '../resource-api.options.js';
import { type ApiRequest } from './api-request.js';
import { type CapturedBody } from './captured-body.js';

/** The platform's request as we read it; Fastify's has Node's own in `raw`. */
type IncomingRequest = PlatformRequest & { readonly raw?: object; readonly body?: unknown };

/** Turns requests of the platform into {@link ApiRequest}s, with the bodies that were captured before the route. */
@Injectable()
export class ApiRequests implements OnModuleInit {
  private readonly bodies = new WeakMap<object, CapturedBody>();

  constructor(
    private readonly moduleRef: ModuleRef,
    @Inject(RESOURCE_API_OPTIONS) private readonly options: Pick<ResourceApiOptions, 'getClient'>,
  ) {}

  /** @throws ConfigurationError when no request could ever get a data client */
  onModuleInit(): void {
    try {
      this.moduleRef.introspect(DATA_CLIENT);
    } catch (cause) {
      throw new ConfigurationError(
        "The option 'getClient' is missing, and no module provides DATA_CLIENT.",
        'Pass getClient: (request) => prisma, or provide DATA_CLIENT in a global module.',
        { cause },
      );
    }
  }

  /** Keeps what was read of a request until its route runs. `raw` is Node's own request. */
  capture(raw: object, body: CapturedBody): void {
    this.bodies.set(raw, body);
  }

  of(request: IncomingRequest): ApiRequest {
    const { url } = request;
    const question = url.indexOf('?');
    const body = this.bodies.get(request.raw ?? request) ?? alreadyParsed(request.body);
    return {
      method: methodOf(request),
      search: question < 0 ? '' : url.slice(question + 1),
      headers: request.headers,
      hasBody: body.kind !== 'none',
      json: () => jsonOf(body),
      client: () => this.clientOf(request),
    };
  }

  /** Asked for late on purpose: guards have run, so `getClient` sees the caller that they found. */
  private clientOf(request: IncomingRequest): Promise<DataClient> {
    const contextId = ContextIdFactory.getByRequest(request);
    this.moduleRef.registerRequestByContextId(request, contextId);
    const own = this.options.getClient !== undefined;
    return this.moduleRef.resolve<DataClient>(DATA_CLIENT, contextId, { strict: own });
  }
}

/** A host that put its own body parser in front has consumed the stream; its result is all there is. */
function alreadyParsed(body: unknown): CapturedBody {
  return body === undefined ? { kind: 'none' } : { kind: 'json', value: body };
}

/** POST may stand for another method, for clients and arguments that cannot send it (JSON:API recommendations; decisions, "RPC details"). */
export function methodOf({ method, headers }: PlatformRequest): string {
  const override = headers['x-http-method-override'];
  return method === 'POST' && typeof override === 'string' ? override.trim().toUpperCase() : method.toUpperCase();
}

function jsonOf(body: CapturedBody): unknown {
  switch (body.kind) {
    case 'json':
      return body.value;
    case 'malformed':
      throw new ApiError('invalid-payload', body.detail, { source: { pointer: '' } });
    case 'none':
      throw new ApiError('invalid-payload', 'The request needs a JSON body, and has none.', { source: { pointer: '' } });
    case 'other':
      throw new ApiError('unsupported-media-type', 'The request body must be JSON, and its Content-Type must say so.', {
        source: { header: 'Content-Type' },
      });
  }
}
