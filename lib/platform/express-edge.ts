import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type PlatformEdge } from './platform-edge.service.js';

type ExpressRequest = IncomingMessage & { readonly originalUrl: string; body?: unknown };
type Next = (error?: unknown) => void;

/** The part of Express' application that is used. */
export interface ExpressLike {
  use(middleware: (request: ExpressRequest, response: ServerResponse, next: Next) => void): unknown;
  use(middleware: (error: unknown, request: ExpressRequest, response: ServerResponse, next: Next) => void): unknown;
}

/**
 * Reads the bodies of our routes before Nest's own parser, which knows neither JSON:API's media type nor our size limit.
 * Install it before `app.init()`.
 */
export function readBodiesOnExpress(app: ExpressLike, edge: PlatformEdge): void {
  app.use((request: ExpressRequest, response: ServerResponse, next: Next) => {
    if (request.body !== undefined || edge.mounts.styleOf(request.originalUrl) === undefined) {
      next();
      return;
    }
    edge.bodies.read(request, response, (fault, body) => {
      request.body = body?.kind === 'json' ? body.value : undefined;
      next(fault);
    });
  });
}

/**
 * Answers faults that never reached a controller (an undecodable path, a body over the limit, a host's middleware that throws) in the
 * style of the route. Install it after the routes and before Nest's own error handler.
 */
export function answerErrorsOnExpress(app: ExpressLike, edge: PlatformEdge): void {
  app.use((error: unknown, request: ExpressRequest, response: ServerResponse, next: Next) => {
    const style = edge.mounts.styleOf(request.originalUrl);
    if (style === undefined) next(error);
    else edge.responder.respond(error, style, response);
  });
}
