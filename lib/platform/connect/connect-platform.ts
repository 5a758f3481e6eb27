import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { BadRequestException } from '@nestjs/common';
import { isRoutable } from '../mount-paths.js';
import { headerText, type Outgoing } from '../outgoing.js';
import type { RequestHandler, Transport } from '../request-handler.service.js';
import { type RequestContext, openRequestContext } from '../request-context.js';
import { type PathParams, unknownPathError } from '../style.js';

export type ConnectRequest = IncomingMessage & { readonly url: string; readonly method: string; body?: unknown; params?: PathParams };
type Next = (error?: unknown) => void;

export type Middleware = (request: ConnectRequest, response: ServerResponse, next: Next) => void;

type ErrorMiddleware = (error: unknown, request: ConnectRequest, response: ServerResponse, next: Next) => void;

/** The used part of a connect-style application. */
export interface ConnectLike {
  use(middleware: Middleware | ErrorMiddleware): unknown;
}

/** Writes to Node's response, because frameworks would add their own ETag and a charset to the response. */
export const connectTransport: Transport<ServerResponse> = {
  given: (response, name) => headerText(response.getHeader(name)),
  write: (response, outgoing) => {
    writeHead(response, outgoing);
    response.end(outgoing.bytes);
  },
  writeStream: (response, outgoing, body) => {
    writeHead(response, outgoing);
    // An error closes both streams. It has been logged by then.
    pipeline(body, response, () => undefined);
  },
  rawOf: (response) => response,
};

function writeHead(response: ServerResponse, { status, headers }: Outgoing): void {
  response.statusCode = status;
  for (const name of Object.keys(headers)) response.setHeader(name, headers[name] ?? '');
}

/**
 * Reads the bodies of requests to this module before Nest's parser, which supports neither JSON:API's media type nor `limits.maxBodySize`.
 * Call it before `app.init()`.
 *
 * A body that cannot be read is not answered here, because the middleware of the application has not run yet. Its headers (CORS, helmet)
 * belong on the error response. body-parser discards the rest of the body, or Node does so with the response.
 */
export function attachToConnect(app: ConnectLike, { mounts, bodies }: RequestHandler): void {
  const readBody: Middleware = (request, _response, next) => {
    const point = mounts.pointOfResource(request.url);
    // A body parser of the application that was installed earlier has read the body.
    if (point === undefined || request.body !== undefined) {
      next();
      return;
    }
    const requestContext = openRequestContext(request, point);
    bodies.read(request, requestContext, (body) => {
      if (requestContext.bodyFault === undefined) request.body = body?.kind === 'json' ? body.value : undefined;
      else withholdBody(request, requestContext.bodyFault);
      next();
    });
  };
  app.use(readBody);
}

/**
 * Makes `request.body` throw the error of an unreadable body, so that a controller of the application below the prefix does not take it for
 * empty.
 */
function withholdBody(request: ConnectRequest, fault: unknown): void {
  const raise = (): never => {
    throw fault;
  };
  Object.defineProperty(request, 'body', { get: raise, set: raise });
}

/**
 * Registers the routes of this module as one middleware, which matches the paths itself. Call it after Nest has registered the routes of
 * all controllers, and before Nest's final handlers.
 */
export function serveOnConnect(app: ConnectLike, handler: RequestHandler, versioned: <H extends Middleware>(handler: H) => H): void {
  const { mounts } = handler;
  const routes = handler.routes(connectTransport).map(({ point, match, serve }) => {
    const run = versioned<Middleware>((request, response, next) => {
      void serve(openRequestContext(request, point), [request, response, next]);
    });
    return { point, match, run };
  });
  app.use((request: ConnectRequest, response: ServerResponse, next: Next) => {
    for (const { point, match, run } of isRoutable(request.url) ? routes : []) {
      const params = match(request.url);
      if (params === undefined || !mounts.serves(point, request.url)) continue;
      request.params = params;
      run(request, response, next);
      return;
    }
    next();
  });
  answerTheRest(app, handler);
}

/**
 * Answers requests below a mount that reach none of its routes, in its style: those with an unknown or undecodable path, and those whose
 * middleware throws. Call it after the routes are registered.
 */
export function answerTheRest(app: ConnectLike, handler: RequestHandler): void {
  const respond = (request: ConnectRequest, response: ServerResponse, { otherwise, thrownOf }: Rest): void => {
    const point = handler.mounts.pointOf(request.url);
    if (point === undefined) {
      otherwise();
      return;
    }
    const requestContext = openRequestContext(request, point);
    handler.respond(connectTransport, response, { thrown: thrownOf(requestContext), style: point.style, requestContext });
  };
  app.use((request: ConnectRequest, response: ServerResponse, next: Next) => {
    respond(request, response, {
      otherwise: next,
      thrownOf: (requestContext) => handler.bodyFaultOf(requestContext) ?? pathError(request, requestContext),
    });
  });
  app.use((error: unknown, request: ConnectRequest, response: ServerResponse, next: Next) => {
    const otherwise = (): void => {
      next(error);
    };
    // Routers throw it for an invalid path, some of them without a status. Middleware of the application may throw it for another reason.
    const isOfPath = error instanceof URIError && !isRoutable(request.url);
    respond(request, response, { otherwise, thrownOf: (requestContext) => (isOfPath ? pathError(request, requestContext) : error) });
  });
}

/** What is done with a request that has reached no route. */
interface Rest {
  /** Continues with a request outside of the mounts. */
  readonly otherwise: () => void;
  /** Returns the error to answer with. */
  readonly thrownOf: (requestContext: RequestContext) => unknown;
}

function pathError({ url }: ConnectRequest, { point: { style } }: RequestContext): Error {
  return isRoutable(url) ? unknownPathError(style) : new BadRequestException('The URL is invalid.');
}
