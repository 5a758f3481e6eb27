import type { DataClient } from '../executor/data-client.js';
import type { RunTally } from '../executor/run-tally.js';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { GrantedModels, ResourceModel } from '../model/resource-model.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { ApiReply, ApiRequest, WriteRecord } from '../http/api-request.js';
import type { CapturedBody } from '../http/captured-body.js';
import type { OperationTrace } from '../telemetry/telemetry.js';
import type { MountPoint } from './mount-point.js';
import type { Endpoint, EndpointRequest, Reading } from './style.js';

/** The used properties of the connection of a request. */
interface Connected {
  readonly httpVersion?: string;
  readonly socket?: { readonly destroyed?: boolean };
}

/** The used properties of a request of Express or Fastify. Fastify's request has Node's one in `raw`. */
export type IncomingRequest = PlatformRequest &
  Connected & {
    readonly raw?: Connected;
    readonly body?: unknown;
    readonly params?: Readonly<Record<string, string>>;
  };

/**
 * The state of one request to this module: its mount, its body or the error of reading it, its operation and its data client. Each is computed
 * once, on first use, and is the same for guards, the operation and the response.
 *
 * It is created when the platform first receives the request, which may be before its body is read and its route is matched.
 */
export class RequestContext implements ApiRequest {
  /** The platform's request, as guards of the application and `getClient` receive it. Fastify creates it before any hook. */
  readonly request: IncomingRequest;
  readonly point: MountPoint;
  private endpointRequest: EndpointRequest | undefined;
  private parsed: Reading | undefined;
  private resolvedSurface: ResourceModel | undefined;
  private surfacePromise: Promise<ResourceModel> | undefined;
  /** The body, once it has been read; undefined if it has not been, or could not be. */
  captured: CapturedBody | undefined = undefined;
  /** The error of reading the body (over the limit, not decompressible, aborted), which has a `status` as errors of body-parser do. */
  bodyFault: Error | undefined = undefined;
  /** The content type of the request, if another one replaces it while Fastify selects a parser. */
  replacedType: { readonly given: string | undefined } | undefined = undefined;
  /** The record that the write stores in its transaction. */
  record: WriteRecord | undefined = undefined;
  /**
   * The key under which evaluated row rules are cached. Until the guards have run it is the platform's request, because they may still
   * change the caller.
   */
  caller: object;
  /** The client that `getClient` has returned for this request; undefined before it has been called. */
  givenClient: Promise<DataClient> | undefined = undefined;
  /** The span of the operation; undefined before it has begun, and without OpenTelemetry. */
  trace: OperationTrace | undefined = undefined;
  /** Receives what the request costs the database; undefined unless its span is recorded. */
  tally: RunTally | undefined = undefined;

  constructor(request: IncomingRequest, point: MountPoint) {
    this.request = request;
    this.point = point;
    this.caller = request;
  }

  /** The method. POST may override it, for clients and arguments that cannot send another one (JSON:API recommendations). */
  get method(): string {
    const { method, headers } = this.request;
    const override = headers['x-http-method-override'];
    return method === 'POST' && typeof override === 'string' ? override.trim().toUpperCase() : method.toUpperCase();
  }

  get headers(): ApiRequest['headers'] {
    return this.request.headers;
  }

  get search(): string {
    const { url } = this.request;
    const question = url.indexOf('?');
    return question < 0 ? '' : url.slice(question + 1);
  }

  get hasBody(): boolean {
    return this.body.kind !== 'none';
  }

  get knowsEnds(): boolean {
    const { raw, httpVersion = raw?.httpVersion } = this.request;
    return httpVersion !== '1.0' && httpVersion !== '0.9';
  }

  isGone(): boolean {
    const { raw, socket = raw?.socket } = this.request;
    return socket?.destroyed === true;
  }

  json(): unknown {
    const { body } = this;
    if (body.kind === 'json') return body.value;
    throw errorOfJson(body);
  }

  form(): string {
    const { body } = this;
    if (body.kind === 'form') return body.text;
    if (body.kind === 'none') return '';
    throw errorOfForm(body);
  }

  client(): Promise<DataClient> {
    return this.point.clients.ask(this);
  }

  /** Notes the endpoint that the request has reached, and the parameters of its path. */
  setEndpoint(endpoint: Endpoint): EndpointRequest {
    return (this.endpointRequest ??= { endpoint, params: this.request.params ?? {}, request: this });
  }

  /** The parsed operation of the request; undefined before it has reached an endpoint. */
  get reading(): Reading | undefined {
    return this.endpointRequest && this.read(this.endpointRequest);
  }

  /** Parses the operation of a request to an endpoint, on first use. */
  read(endpointRequest: EndpointRequest): Reading {
    return (this.parsed ??= this.point.style.read(endpointRequest, this.point.context));
  }

  /**
   * Returns the model as it is exposed to the caller. Grants are evaluated once per request. Call it after the guards, because grants may
   * use what they have found.
   *
   * @throws what {@link CallerGrants.of} throws
   */
  surface(): ResourceModel | Promise<ResourceModel> {
    const { ungranted } = this.point;
    return ungranted.grants ? (this.surfacePromise ??= this.settle(ungranted.grants)) : ungranted;
  }

  /**
   * The model whose names a response may contain, in any state of the request. Until {@link surface} has resolved, it is that of callers
   * without grants.
   */
  get visibleModel(): ResourceModel {
    return this.resolvedSurface ?? this.point.ungranted;
  }

  /** Notes that the guards have run. */
  admit(): void {
    this.caller = this;
  }

  private async settle(models: GrantedModels): Promise<ResourceModel> {
    this.resolvedSurface = models.of(await this.point.callers.of(this.request));
    return this.resolvedSurface;
  }

  /** The body. If a body parser of the application has read it, only its result is available, because the stream has been consumed. */
  private get body(): CapturedBody {
    if (this.captured) return this.captured;
    const { body } = this.request;
    return (this.captured = body === undefined ? { kind: 'none' } : { kind: 'json', value: body });
  }
}

/**
 * Returns the context of a request; undefined for a request that does not belong to this module. Accepts the platform's request, and Node's
 * one.
 */
export function requestContextOf(request: object): RequestContext | undefined {
  return carrierOf(request)[REQUEST_CONTEXT];
}

/** Creates the context of a request, or returns the existing one. */
export function openRequestContext(request: IncomingRequest, point: MountPoint): RequestContext {
  const carrier = carrierOf(request);
  const { [REQUEST_CONTEXT]: known } = carrier;
  if (known?.point === point) return known;
  const requestContext = new RequestContext(request, point);
  carry(carrier, requestContext);
  return requestContext;
}

/**
 * Adds the property of the context to Node's request, before Express changes its prototype. Adding it later would be slow: see
 * `HiddenClasses`.
 */
export function expectRequestContext(request: object): void {
  if (requestContextOf(request) === undefined) carry(request, undefined);
}

function carry(carrier: Carrier, requestContext: RequestContext | undefined): void {
  Object.defineProperty(carrier, REQUEST_CONTEXT, { value: requestContext, writable: true, configurable: true });
}

function carrierOf(request: object): Carrier {
  const { raw }: { readonly raw?: Carrier } = request;
  return raw ?? request;
}

/**
 * The property of Node's request, which is the same object for every wrapper of a platform. The symbol is global, because a guard may
 * import the other copy of this package (CommonJS or ES module).
 */
const REQUEST_CONTEXT: unique symbol = Symbol.for('nestjs-resource-api: request context');

interface Carrier {
  readonly [REQUEST_CONTEXT]?: RequestContext | undefined;
}

/** Returns the error for a body that is not JSON. */
function errorOfJson(body: Exclude<CapturedBody, { readonly kind: 'json' }>): ApiError {
  switch (body.kind) {
    case 'malformed':
      return new ApiError('invalid-payload', body.detail, { source: { pointer: '' } });
    case 'none':
      return new ApiError('invalid-payload', 'The request needs a JSON body, and has none.', { source: { pointer: '' } });
    case 'form':
    case 'other':
      return new ApiError('unsupported-media-type', 'The request body must be JSON, and its Content-Type must say so.', {
        source: { header: 'Content-Type' },
      });
  }
}

/** Returns the error for a body that is not a form. */
function errorOfForm(body: Exclude<CapturedBody, { readonly kind: 'form' | 'none' }>): Error {
  switch (body.kind) {
    case 'malformed':
      return new ApiError('invalid-payload', body.detail);
    case 'other':
      return new ApiError('unsupported-media-type', 'The request body must be a form.', { source: { header: 'Content-Type' } });
    case 'json':
      return new ConfigurationError('A body parser of the host has read the form of a QUERY.', 'Let it pass by the routes of the API.');
  }
}

/** Executes requests that may repeat an earlier one. */
export interface IdempotencyHandler {
  /**
   * Executes a request, or replays the response of an earlier one.
   *
   * @param operate executes the request; it may be called again if nothing was written
   * @throws what `operate` throws, and ApiError if the request is refused
   */
  executeOnce(requestContext: RequestContext, operate: () => Promise<ApiReply>): Promise<ApiReply>;
}
