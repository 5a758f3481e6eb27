import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type PlatformEdge } from './platform-edge.service.js';
import { unknownPathError } from './unknown-path-error.js';

type ExpressRequest = IncomingMessage & { readonly url: string; body?: unknown };
type Next = (error?: unknown) => void;

type Middleware = (request: ExpressRequest, response: ServerResponse, next: Next) => void;
// eslint-disable-next-line max-params -- Express tells an error handler by its four parameters.
type ErrorMiddleware = (error: unknown, request: ExpressRequest, response: ServerResponse, next: Next) => void;

/** An entry of Express' router: a route, or a middleware. */
interface Layer {
  readonly route?: { readonly path: string };
  [MOUNT_DEPTH]?: number;
}

/** On the layers of our routes, whichever instance of this module made them: how deep their mount lies. */
const MOUNT_DEPTH = Symbol('nestjs-resource-api: mount depth');

/** The part of Express' application that is used. */
export interface ExpressLike {
  readonly router?: { readonly stack?: Layer[] };
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
 * Puts our routes behind all of the host's, and those of an inner mount before those of an outer one, as Fastify's router does by itself:
 * Express takes the first route that matches, and `/:type/:id` matches much. Call it once Nest has registered its routes.
 */
export function yieldToHostRoutes(app: ExpressLike, { mounts }: PlatformEdge): void {
  const stack = app.router?.stack;
  if (stack === undefined) return;
  for (const layer of stack) {
    const depth = layer.route && mounts.depthOf(layer.route.path);
    if (depth !== undefined) layer[MOUNT_DEPTH] = depth;
  }
  const isOurs = (layer: Layer): boolean => layer[MOUNT_DEPTH] !== undefined;
  const ours = stack.filter(isOurs).sort((a, b) => (b[MOUNT_DEPTH] ?? 0) - (a[MOUNT_DEPTH] ?? 0));
  const others = stack.filter((layer) => !isOurs(layer));
  const place = Math.max(others.findLastIndex((layer) => layer.route !== undefined) + 1, stack.findIndex(isOurs));
  stack.splice(0, stack.length, ...others.slice(0, place), ...ours, ...others.slice(place));
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
