import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { headerText, type Outgoing } from '../outgoing.js';
import type { RequestHandler, Transport } from '../request-handler.service.js';
import { type RequestContext, openRequestContext } from '../request-context.js';
import { unknownPathError } from '../style.js';
import { HiddenClasses } from './hidden-classes.js';

type ExpressRequest = IncomingMessage & { readonly url: string; readonly method: string; body?: unknown };
type Next = (error?: unknown) => void;

type Middleware = (request: ExpressRequest, response: ServerResponse, next: Next) => void;

type ErrorMiddleware = (error: unknown, request: ExpressRequest, response: ServerResponse, next: Next) => void;

/** The used part of Express' application. */
export interface ExpressLike {
  /** In Express 4 this property throws, and there is no such router. */
  readonly router?: RouterLike;
  use(middleware: Middleware | ErrorMiddleware): unknown;
  all(path: string, handler: Middleware): unknown;
}

/** An Express application and its HTTP server. */
export interface ExpressApplication {
  readonly app: ExpressLike;
  /** Undefined if the adapter has no server. */
  readonly server: Server | undefined;
}

/** Writes to Node's response, because Express would add its own ETag and a charset to the response. */
const transport: Transport<ServerResponse> = {
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
export function attachToExpress(app: ExpressLike, { mounts, bodies }: RequestHandler): void {
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
function withholdBody(request: ExpressRequest, fault: unknown): void {
  const raise = (): never => {
    throw fault;
  };
  Object.defineProperty(request, 'body', { get: raise, set: raise });
}

/**
 * Returns a warning for each mount that is unreachable, because a route of the application matches all of its requests. Call it before
 * {@link serveOnExpress}.
 */
export function catchAllWarnings({ router = {} }: ExpressLike, { mounts }: RequestHandler): readonly string[] {
  return mounts.all.flatMap(({ paths }) =>
    paths.flatMap((path) => {
      const route = findCatchAll(router, path);
      if (route === undefined) return [];
      return `The route '${route}' of the application takes all requests below ${path}: on Express it comes before the API. Exclude ${path} from it.`;
    }),
  );
}

/**
 * Registers the routes of this module. Requests below a mount that reach none of them are answered in its style: those with an unknown or
 * undecodable path, and those whose middleware throws. Call it after Nest has registered the routes of all controllers, and before Nest's
 * final handlers.
 *
 * Express runs the first route that matches, and `/:type/:id` matches many paths. The routes of the application take precedence, because
 * they are registered first. If one mount is inside another, the outer one skips the paths of the inner one, as Fastify's router does.
 */
export function serveOnExpress(
  { app, server }: ExpressApplication,
  handler: RequestHandler,
  versioned: <H extends Middleware>(handler: H) => H,
): void {
  const { mounts } = handler;
  const classes = new HiddenClasses((url) => mounts.pointOfResource(url) !== undefined);
  classes.attach(server);
  for (const { point, path, match, serve } of handler.routes(transport)) {
    const middleware: Middleware = (request, response, next) => {
      classes.learn(request);
      // Express' router also accepts a trailing slash and other letter cases, and Fastify's does not.
      if (match(request.url) && mounts.serves(point, request.url))
        void serve(openRequestContext(request, point), [request, response, next]);
      else next();
    };
    app.all(path, versioned(middleware));
  }
  const answerUnknownPath: Middleware = (request, response, next) => {
    const requestContext = contextAt(request);
    if (requestContext === undefined) next();
    else respond(requestContext, response, requestContext.bodyFault ?? unknownPathError(requestContext.point.style));
  };

  const answerError: ErrorMiddleware = (error, request, response, next) => {
    const requestContext = contextAt(request);
    if (requestContext === undefined) next(error);
    else respond(requestContext, response, error);
  };
  const contextAt = (request: ExpressRequest): RequestContext | undefined => {
    const point = mounts.pointOf(request.url);
    return point && openRequestContext(request, point);
  };
  const respond = (requestContext: RequestContext, response: ServerResponse, thrown: unknown): void => {
    handler.respond(transport, response, { thrown, style: requestContext.point.style, requestContext });
  };
  app.use(answerUnknownPath);
  app.use(answerError);
}

/** The used part of Express' router. */
interface RouterLike {
  readonly stack?: readonly LayerLike[];
}

interface LayerLike {
  readonly route?: { readonly path: unknown };
  match(path: string): boolean;
}

/**
 * Returns the path of a registered route that matches every request below a prefix, or undefined. Express runs the first route that
 * matches, so later routes are not reached there.
 *
 * @param prefix without a trailing slash
 */
function findCatchAll({ stack = [] }: RouterLike, prefix: string): string | undefined {
  const layer = stack.find((one) => one.route !== undefined && PROBES.every((path) => one.match(prefix + path)));
  return layer?.route && String(layer.route.path);
}

/** Paths for which an application has no specific route. */
const PROBES = ['/nestjs-resource-api-probe', '/nestjs-resource-api-probe/1'];
