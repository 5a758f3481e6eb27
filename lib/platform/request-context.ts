import type { DataClient } from '../executor/data-client.js';
import { ApiError } from '../errors/api-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { PlatformRequest } from '../http/platform-request.js';
import type { ApiReply, ApiRequest, WriteRecord } from '../http/api-request.js';
import type { CapturedBody } from '../http/captured-body.js';
import type { GrantedSurfaces } from './granted-surfaces.js';
import type { MountPoint } from './mount-point.js';
import type { Asked, Reading } from './style.js';

/** What is seen of the connection that a request came by. */
interface Connected {
  readonly httpVersion?: string;
  readonly socket?: { readonly destroyed?: boolean };
}

/** The platform's request as we read it; Fastify's has Node's own in `raw`. */
export type IncomingRequest = PlatformRequest &
  Connected & {
    readonly raw?: Connected;
    readonly body?: unknown;
    readonly params?: Readonly<Record<string, string>>;
  };

/**
 * All that is known of one request to this module: where it is mounted, its body or what is wrong with that, what it means, its data client
 * and its answer. Each is computed once, on first use, and is the same for guards, for the operation and for the response.
 *
 * It opens where the platform first sees the request, which may be before its body is read and its route is found.
 */
export class RequestContext implements ApiRequest {
  /** The platform's own request, as the host's guards and `getClient` see it. Express has one all along; Fastify makes it before any hook. */
  readonly request: IncomingRequest;
  readonly point: MountPoint;
  private answered: ApiReply | undefined;
  private captured: CapturedBody | undefined;
  private fault: Error | undefined;
  private asked: Asked | undefined;
  private meaning: Reading | undefined;
  private settled: ResourceModel | undefined;
  private settling: Promise<ResourceModel> | undefined;
  private givenClient: Promise<DataClient> | undefined;
  private kept: WriteRecord | undefined;
  private isAdmitted = false;

  constructor(request: IncomingRequest, point: MountPoint) {
    this.request = request;
    this.point = point;
  }

  get method(): string {
    return methodOf(this.request);
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

  /** Keeps the body that was read of the request. */
  capture(body: CapturedBody): void {
    this.captured = body;
  }

  /** Keeps what went wrong with reading the body (over the limit, not inflatable, cut off), of body-parser's kind with a `status`. */
  failBody(fault: Error): void {
    this.fault = fault;
  }

  /** What went wrong with the body; undefined where nothing did. */
  get bodyFault(): Error | undefined {
    return this.fault;
  }

  json(): unknown {
    return jsonOf(this.body);
  }

  form(): string {
    return formOf(this.body);
  }

  client(): Promise<DataClient> {
    return this.point.clients.ask(this);
  }

  /** What `getClient` returned for this request; called on first use. */
  clientOnce(ask: () => Promise<DataClient>): Promise<DataClient> {
    return (this.givenClient ??= ask());
  }

  get record(): WriteRecord | undefined {
    return this.kept;
  }

  /** What the write is about to keep of itself. */
  recordIn(record: WriteRecord): void {
    this.kept = record;
  }

  /** The request has reached an endpoint. */
  arrive(asked: Asked): void {
    this.asked = asked;
  }

  /** What the request means; undefined before it has reached an endpoint. */
  get reading(): Reading | undefined {
    return this.asked && this.read(this.asked);
  }

  /** What an endpoint was asked. */
  read(asked: Asked): Reading {
    return (this.meaning ??= this.point.style.read(asked, this.point.context));
  }

  /**
   * What the caller is shown, which is settled once. Ask when the guards have run: grants may need what they find.
   *
   * @param piped what the request asks once pipes have seen its path
   * @throws what the host's grants throw
   */
  surface(piped: Asked): ResourceModel | Promise<ResourceModel> {
    const { granted, context } = this.point;
    return granted ? (this.settling ??= this.settle(granted, piped)) : context.model;
  }

  /** What an answer to the caller may name, whatever has become of the request: what everybody is shown, until {@link surface} is settled. */
  get shown(): ResourceModel {
    const { granted, context } = this.point;
    return this.settled ?? granted?.none ?? context.model;
  }

  /** What row rules are evaluated once for: before the guards have run, they may still change who the caller is. */
  get caller(): object {
    return this.isAdmitted ? this : this.request;
  }

  /** Notes that the guards have run. */
  admit(): void {
    this.isAdmitted = true;
  }

  /** Keeps the answer of the operation. */
  answer(reply: ApiReply): void {
    this.answered = reply;
  }

  /** The answer of the operation, once it has run. It is not kept: its rows are not needed when its bytes are sent, which may take long. */
  takeReply(): ApiReply | undefined {
    const { answered } = this;
    this.answered = undefined;
    return answered;
  }

  private async settle(granted: GrantedSurfaces, piped: Asked): Promise<ResourceModel> {
    const isSame = piped.params === this.asked?.params;
    const { operation } = isSame ? this.read(piped) : this.point.style.read(piped, this.point.context);
    const surface = await granted.of(this, operation);
    this.settled = surface;
    return surface;
  }

  private get body(): CapturedBody {
    return (this.captured ??= alreadyParsed(this.request.body));
  }
}

/** The exchange of a request; undefined for one that is not this module's. Takes the platform's request, or Node's own. */
export function requestContextOf(request: object): RequestContext | undefined {
  return carrierOf(request)[EXCHANGE];
}

/** Creates the exchange of a request, or returns the existing one. */
export function openRequestContext(request: IncomingRequest, point: MountPoint): RequestContext {
  const known = requestContextOf(request);
  if (known?.point === point) return known;
  const exchange = new RequestContext(request, point);
  carry(carrierOf(request), exchange);
  return exchange;
}

/** Makes room for an exchange on Node's own request, where whoever adds it later would do so at a cost. */
export function expectRequestContext(request: object): void {
  if (requestContextOf(request) === undefined) carry(request, undefined);
}

function carry(carrier: Carrier, exchange: RequestContext | undefined): void {
  Object.defineProperty(carrier, EXCHANGE, { value: exchange, writable: true, configurable: true });
}

function carrierOf(request: object): Carrier {
  const { raw }: { readonly raw?: Carrier } = request;
  return raw ?? request;
}

/**
 * On Node's own request, which is one whatever wraps it; a symbol of the process, since a guard may ask the other copy of this package, CommonJS or
 * ES module.
 */
const EXCHANGE: unique symbol = Symbol.for('nestjs-resource-api: exchange');

interface Carrier {
  readonly [EXCHANGE]?: RequestContext | undefined;
}

/** A host that put its own body parser in front has consumed the stream; its result is all there is. */
function alreadyParsed(body: unknown): CapturedBody {
  return body === undefined ? { kind: 'none' } : { kind: 'json', value: body };
}

/** POST may replace another method, for clients and arguments that cannot send it (JSON:API recommendations; decisions, "RPC details"). */
function methodOf({ method, headers }: PlatformRequest): string {
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
    case 'form':
    case 'other':
      throw new ApiError('unsupported-media-type', 'The request body must be JSON, and its Content-Type must say so.', {
        source: { header: 'Content-Type' },
      });
  }
}

function formOf(body: CapturedBody): string {
  switch (body.kind) {
    case 'form':
      return body.text;
    case 'none':
      return '';
    case 'malformed':
      throw new ApiError('invalid-payload', body.detail);
    case 'other':
      throw new ApiError('unsupported-media-type', 'The request body must be a form.', { source: { header: 'Content-Type' } });
    case 'json':
      throw new ConfigurationError('A body parser of the host has read the form of a QUERY.', 'Let it pass by the routes of the API.');
  }
}

/** Answers requests of which one may be another one, sent again. */
export interface Repetitions {
  /**
   * @param operate answers the request itself; it may be called again where nothing was written
   * @throws what that throws, and refusals
   */
  answer(exchange: RequestContext, operate: () => Promise<ApiReply>): Promise<ApiReply>;
}
