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

/** The part of Express' application that is used. */
export interface ExpressLike {
  /** Express 4 throws here, and has no such router. */
  readonly router?: RouterLike;
  use(middleware: Middleware | ErrorMiddleware): unknown;
  all(path: string, handler: Middleware): unknown;
}

/** An application, and the server that it answers. */
export interface ExpressApplication {
  readonly app: ExpressLike;
  /** Undefined where the adapter has none. */
  readonly server: Server | undefined;
}

/** Writes to Node's response: what Express adds to a body (its own ETag, a charset) is not for these answers. */
const transport: Transport<ServerResponse> = {
  given: (response, name) => headerText(response.getHeader(name)),
  write: (response, outgoing) => {
    writeHead(response, outgoing);
    response.end(outgoing.bytes);
  },
  writeStream: (response, outgoing, body) => {
    writeHead(response, outgoing);
    // What fails ends both; it has been told by then.
    pipeline(body, response, () => undefined);
  },
  rawOf: (response) => response,
};

function writeHead(response: ServerResponse, { status, headers }: Outgoing): void {
  response.statusCode = status;
  for (const name of Object.keys(headers)) response.setHeader(name, headers[name] ?? '');
}

/**
 * Reads the bodies of our routes before Nest's own parser, which knows neither JSON:API's media type nor our size limit.
 * Install it before `app.init()`.
 *
 * A body that cannot be read is no reason yet to answer: the host's middleware comes later, and its headers (CORS, helmet) belong on a refusal
 * too. The rest of the body is discarded, by body-parser or by Node with the response.
 */
export function attachToExpress(app: ExpressLike, { mounts, bodies }: RequestHandler): void {
  const readBody: Middleware = (request, _response, next) => {
    const point = mounts.pointOfResource(request.url);
    // A host that put its own parser in front has read the body.
    if (point === undefined || request.body !== undefined) {
      next();
      return;
    }
    const exchange = openRequestContext(request, point);
    bodies.read(request, exchange, (body) => {
      if (exchange.bodyFault === undefined) request.body = body?.kind === 'json' ? body.value : undefined;
      else withholdBody(request, exchange.bodyFault);
      next();
    });
  };
  app.use(readBody);
}

/** A route of the host below our prefix must not mistake an unreadable body for an empty one: reading it throws the fault. */
function withholdBody(request: ExpressRequest, fault: unknown): void {
  const raise = (): never => {
    throw fault;
  };
  Object.defineProperty(request, 'body', { get: raise, set: raise });
}

/** Returns a warning for each mount whose requests a route of the application takes. Call it before {@link serveOnExpress}. */
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
 * Registers our routes, and answers what reaches none of them (an unknown path, an undecodable one, a host's middleware that throws) in the
 * style of its mount. Call it once Nest has registered the routes of the host's controllers, and before Nest's own last handlers.
 *
 * Express takes the first route that matches, and `/:type/:id` matches much. So the host's routes come first, since they are registered first;
 * and between two mounts of which one lies inside the other, each leaves to the next what is below the deeper one, as Fastify's router does.
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
    const handler: Middleware = (request, response, next) => {
      classes.learn(request);
      // Express' router also accepts a slash at the end and other letter cases, which Fastify's does not.
      if (match(request.url) && mounts.serves(point, request.url))
        void serve(openRequestContext(request, point), [request, response, next]);
      else next();
    };
    app.all(path, versioned(handler));
  }
  const answerUnknownPath: Middleware = (request, response, next) => {
    const exchange = exchangeAt(request);
    if (exchange === undefined) next();
    else respond(exchange, response, exchange.bodyFault ?? unknownPathError(exchange.point.style));
  };

  const answerError: ErrorMiddleware = (error, request, response, next) => {
    const exchange = exchangeAt(request);
    if (exchange === undefined) next(error);
    else respond(exchange, response, error);
  };
  const exchangeAt = (request: ExpressRequest): RequestContext | undefined => {
    const point = mounts.pointOf(request.url);
    return point && openRequestContext(request, point);
  };
  const respond = (exchange: RequestContext, response: ServerResponse, thrown: unknown): void => {
    handler.respond(transport, response, { thrown, style: exchange.point.style, exchange });
  };
  app.use(answerUnknownPath);
  app.use(answerError);
}

/** The part of Express' router that is read. */
interface RouterLike {
  readonly stack?: readonly LayerLike[];
}

interface LayerLike {
  readonly route?: { readonly path: unknown };
  match(path: string): boolean;
}

/**
 * Returns the path of a registered route that takes every request below a prefix, or undefined. Express calls the first route that matches, so that
 * no later route is reached there.
 *
 * @param prefix without a slash at the end
 */
function findCatchAll({ stack = [] }: RouterLike, prefix: string): string | undefined {
  const layer = stack.find((one) => one.route !== undefined && PROBES.every((path) => one.match(prefix + path)));
  return layer?.route && String(layer.route.path);
}

/** Paths that an application has no route for. */
const PROBES = ['/nestjs-resource-api-probe', '/nestjs-resource-api-probe/1'];
