import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type PlatformEdge } from './platform-edge.service.js';
import { unknownPathError } from './unknown-path-error.js';

type ExpressRequest = IncomingMessage & { readonly url: string; body?: unknown };
type Next = (error?: unknown) => void;

type Middleware = (request: ExpressRequest, response: ServerResponse, next: Next) => void;
// eslint-disable-next-line max-params -- Express tells an error handler by its four parameters.
type ErrorMiddleware = (error: unknown, request: ExpressRequest, response: ServerResponse, next: Next) => void;

/** The part of Express' application that is used. */
export interface ExpressLike {
  use(middleware: Middleware | ErrorMiddleware): unknown;
}

/**
 * Reads the bodies of our routes before Nest's own parser, which knows neither JSON:API's media type nor our size limit.
 * Install it before `app.init()`.
 */
export function readBodiesOnExpress(app: ExpressLike, edge: PlatformEdge): void {
  const readBody: Middleware = (request, response, next) => {
    if (!edge.mounts.claim(request, request.url) || request.body !== undefined) {
      next();
      return;
    }
    edge.bodies.read(request, response, (fault, body) => {
      request.body = body?.kind === 'json' ? body.value : undefined;
      next(fault);
    });
  };
  app.use(readBody);
}

/**
 * Answers what never reached a controller (an unknown path, an undecodable one, a body over the limit, a host's middleware that throws) in
 * the style of the mount. Install it after the routes and before Nest's own handlers.
 */
export function answerStrayRequestsOnExpress(app: ExpressLike, { mounts, responder }: PlatformEdge): void {
  const answerUnknownPath: Middleware = (request, response, next) => {
    const style = mounts.styleOf(request.url);
    if (style === undefined) next();
    else responder.respond(unknownPathError(style), style, response);
  };
  // eslint-disable-next-line max-params -- Express tells an error handler by its four parameters.
  const answerError: ErrorMiddleware = (error, request, response, next) => {
    const style = mounts.styleOf(request.url);
    if (style === undefined) next(error);
    else responder.respond(error, style, response);
  };
  app.use(answerUnknownPath);
  app.use(answerError);
}
