import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import { MOUNTS, TELEMETRY } from '../options/tokens.js';
import type { ApiReply } from '../http/api-request.js';
import { BodyReader } from './body-reader.service.js';
import { type RunEndpoint, type HandlerArguments, RequestPipeline } from './request-pipeline.service.js';
import { breakOff, endStalled, readableOf } from './send-stream.js';
import type { StyledMount } from './entry-classes.js';
import { ErrorResponder } from './error-responder.service.js';
import type { RequestContext } from './request-context.js';
import type { MountPoint } from './mount-point.js';
import { pathMatcher } from './mount-paths.js';
import { MountPoints } from './mount-points.service.js';
import { type Outgoing, toOutgoing } from './outgoing.js';
import { operationsIn, type ResourceOperation } from './resource-operation.js';
import { type SizeLimit, sizeLimit } from '../http/response-size.js';
import type { Endpoint, PathParams, Style } from './style.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { traceRequest } from './trace-request.js';

/** How a platform writes a response. */
export interface Transport<Response extends object> {
  /** Returns a header that the application has set on the response, by its lower-case name. */
  readonly given: (response: Response, name: string) => string | undefined;
  readonly write: (response: Response, outgoing: Outgoing) => void;
  /** Writes a response whose body is read at the pace of the client. */
  readonly writeStream: (response: Response, outgoing: Outgoing, body: Readable) => void;
  /** Returns Node's response. */
  readonly rawOf: (response: Response) => ServerResponse | Http2ServerResponse;
}

/** A route of a mount, for a platform to register. */
interface Route<Response extends object> {
  readonly point: MountPoint;
  /** The path with its parameters, e.g. `/api/rest/:type/:id`. */
  readonly path: string;
  /** Returns the parameters of the path, or undefined if the URL has another path. */
  readonly match: (url: string) => PathParams | undefined;
  /** Answers a request, with an error response if anything fails. */
  readonly serve: (requestContext: RequestContext, arrival: HandlerArguments<Response>) => Promise<void>;
}

/** Creates the routes that each platform registers. The differences between the platforms are in their {@link Transport}. */
@Injectable()
export class RequestHandler {
  // eslint-disable-next-line max-params -- Nest injects one by one.
  constructor(
    readonly mounts: MountPoints,
    readonly bodies: BodyReader,
    private readonly errors: ErrorResponder,
    private readonly pipeline: RequestPipeline,
    private readonly moduleRef: ModuleRef,
    private readonly adapterHost: HttpAdapterHost,
    @Inject(MOUNTS) private readonly styled: readonly StyledMount[],
    @Inject(TELEMETRY) private readonly telemetry: Telemetry | null,
  ) {}

  /** Returns the routes of all mounts. */
  routes<Response extends object>(transport: Transport<Response>): readonly Route<Response>[] {
    return this.mounts.all.flatMap((point, index) => {
      const service = this.moduleRef.get(point.style.service, { strict: true });
      return (this.styled[index]?.entries ?? []).flatMap((entry) =>
        entry.endpoints.flatMap((endpoint) => {
          const run = this.pipeline.compileEndpoint(endpoint, entry, service);
          return point.paths.map((path) => this.route({ point, path, endpoint, run }, transport));
        }),
      );
    });
  }

  /** Sends the error of a request that has failed, or has reached no endpoint. */
  respond<Response extends object>(transport: Transport<Response>, response: Response, { thrown, style, requestContext }: Failure): void {
    this.send(transport, response, {
      reply: this.errors.replyTo(thrown, style, requestContext),
      style,
      requestContext,
      maxSize: UNLIMITED,
    });
  }

  /**
   * Returns the error of reading the body of a request; undefined if there was none. Where the URL names no resource, there is none: Fastify
   * reads these bodies, too, and the other platforms do not.
   */
  bodyFaultOf({ bodyFault, request }: RequestContext): Error | undefined {
    return bodyFault && this.mounts.pointOfResource(request.url) ? bodyFault : undefined;
  }

  private route<Response extends object>({ point, path, endpoint, run }: EndpointRoute, transport: Transport<Response>): Route<Response> {
    const style = endpoint.mediaType === undefined ? point.style : { ...point.style, mediaType: endpoint.mediaType };
    const maxSize = sizeLimit(point.context.limits.maxResponseSize);
    const route = endpoint.path === '' ? path : `${path}/${endpoint.path}`;
    const respond = async (requestContext: RequestContext, handlerArguments: HandlerArguments<Response>): Promise<Readable | undefined> => {
      const [, response] = handlerArguments;
      try {
        const fault = this.bodyFaultOf(requestContext);
        if (fault !== undefined) throw fault;
        const reply = await run(requestContext, handlerArguments);
        return reply && this.sendReply(transport, response, { reply, style, requestContext, maxSize });
      } catch (thrown) {
        this.respond(transport, response, { thrown, style, requestContext });
        return undefined;
      }
    };
    const serve = async (requestContext: RequestContext, handlerArguments: HandlerArguments<Response>): Promise<void> => {
      requestContext.setEndpoint(endpoint);
      const { telemetry } = this;
      try {
        if (telemetry?.isActive() !== true) await respond(requestContext, handlerArguments);
        else await traceRequest(telemetry, { requestContext, route }, () => respond(requestContext, handlerArguments));
      } catch (fault) {
        endWithoutBody(transport.rawOf(handlerArguments[1]), fault);
      }
    };
    return { point, path: route, match: pathMatcher(route), serve };
  }

  /** Sends the reply of an operation. Because a write is committed by now, an error here means "committed, but not answered". */
  private sendReply<Response extends object>(transport: Transport<Response>, response: Response, answer: Answer): Readable | undefined {
    try {
      return this.send(transport, response, answer);
    } catch (error) {
      throw isWriting(answer.requestContext.reading?.operation) ? new UnknownOutcomeError(error, 'unanswered') : error;
    }
  }

  /** @returns the body that is still being sent */
  private send<Response extends object>(
    transport: Transport<Response>,
    response: Response,
    { reply, style, requestContext, maxSize }: Answer,
  ): Readable | undefined {
    // The client may have disconnected, or the application may have sent a response, e.g. from the timeout of an interceptor.
    if (this.adapterHost.httpAdapter.isHeadersSent(response)) return undefined;
    const given = (name: string): string | undefined => transport.given(response, name);
    const outgoing = toOutgoing(reply, { style, given, request: requestContext, maxSize });
    const raw = transport.rawOf(response);
    const { maxResponseStall } = requestContext.point.context.limits;
    if (!outgoing.stream) {
      transport.write(response, outgoing);
      endStalled(raw, maxResponseStall);
      return undefined;
    }
    endStalled(raw, maxResponseStall);
    const explain = (thrown: unknown): unknown =>
      requestContext.isGone() ? undefined : this.errors.replyTo(thrown, style, requestContext, { isBrokenOff: true }).body;
    const body = readableOf(outgoing.stream, { response: raw, explain });
    transport.writeStream(response, outgoing, body);
    return body;
  }
}

const UNLIMITED = sizeLimit(Infinity);

/**
 * Ends a response whose error could not be rendered, for example because the logger of the application throws. Without it, Node would end the process
 * for an unhandled rejection.
 */
function endWithoutBody(response: ServerResponse | Http2ServerResponse, fault: unknown): void {
  // The logger may be what has failed.
  console.error('ResourceApi: a request has failed, and its error could not be rendered or logged:', fault);
  // A complete response is still being sent: a span of OpenTelemetry may have failed after it.
  if (response.writableEnded) return;
  if (response.headersSent) {
    breakOff(response);
    return;
  }
  response.statusCode = 500;
  response.end();
}

function isWriting(operation: ResourceOperation | undefined): boolean {
  return operationsIn(operation).some(({ actions }) => actions.some((action) => action !== 'read'));
}

interface Failure {
  readonly thrown: unknown;
  readonly style: Style;
  readonly requestContext: RequestContext;
}

interface Answer {
  readonly reply: ApiReply;
  readonly maxSize: SizeLimit;
  readonly style: Style;
  readonly requestContext: RequestContext;
}

interface EndpointRoute {
  readonly point: MountPoint;
  readonly path: string;
  readonly endpoint: Endpoint;
  readonly run: RunEndpoint;
}
