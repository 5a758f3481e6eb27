import { type IncomingMessage, type ServerResponse } from 'node:http';
import { bodyFaultOf, keepBodyFault } from './body-fault.js';
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
  readonly handle?: unknown;
  [MOUNT_DEPTH]?: number;
}

/** On the layers that are ours, whichever instance of this module made them: how deep their mount lies. */
const MOUNT_DEPTH = Symbol('nestjs-resource-api: mount depth');

/** The part of Express' application that is used. */
export interface ExpressLike {
  readonly router?: { readonly stack?: Layer[] };
  use(middleware: Middleware | ErrorMiddleware): unknown;
}

/**
 * Reads the bodies of our routes before Nest's own parser, which knows neither JSON:API's media type nor our size limit.
 * Install it before `app.init()`.
 *
 * A body that cannot be read is no reason yet to answer: the host's middleware comes later, and its headers (CORS, helmet) belong on a refusal
 * too. What is left of the body is kept nowhere: body-parser reads it off, or Node with the answer.
 */
export function readBodiesOnExpress(app: ExpressLike, edge: PlatformEdge): void {
  const readBody: Middleware = (request, response, next) => {
    const isOurs = edge.mounts.claim(request, request.url);
    // Another mount may have read it.
    if (!isOurs || bodyFaultOf(request) !== undefined || request.body !== undefined) {
      next();
      return;
    }
    edge.bodies.read(request, response, (fault, body) => {
      if (fault === undefined) request.body = body?.kind === 'json' ? body.value : undefined;
      else withholdBody(request, fault);
      next();
    });
  };
  app.use(readBody);
}

/** A route of the host's below our prefix must not take a body that could not be read for none: who asks for it meets the fault. */
function withholdBody(request: ExpressRequest, fault: unknown): void {
  keepBodyFault(request, fault);
  const raise = (): never => {
    throw fault;
  };
  Object.defineProperty(request, 'body', { get: raise, set: raise });
}

/** Stands before all of our routes, and so before their guards: as on Fastify, which parses first. */
const raiseBodyFault: Middleware = (request, _response, next) => {
  next(bodyFaultOf(request));
};

/**
 * Puts our routes behind all of the host's, and those of an inner mount before those of an outer one, as Fastify's router does by itself:
 * Express takes the first route that matches, and `/:type/:id` matches much. Right before them stands what raises the faults of their bodies.
 * Call it once Nest has registered its routes.
 */
export function yieldToHostRoutes(app: ExpressLike, { mounts }: PlatformEdge): void {
  const stack = app.router?.stack;
  if (stack === undefined) return;
  app.use(raiseBodyFault);
  for (const layer of stack) {
    const depth = layer.handle === raiseBodyFault ? Infinity : layer.route && mounts.depthOf(layer.route.path);
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
