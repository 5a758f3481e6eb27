import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Readable } from 'node:stream';
import { UnsupportedMediaTypeException } from '@nestjs/common';
import { headerText } from '../outgoing.js';
import type { RequestHandler, Transport } from '../request-handler.service.js';
import { type RequestContext, requestContextOf, type IncomingRequest, openRequestContext } from '../request-context.js';
import type { MountPoint } from '../mount-point.js';
import { unknownPathError } from '../style.js';
import { once } from '../../utils/once.js';

type FastifyRequestLike = IncomingRequest & {
  readonly raw: IncomingMessage;
  /** Whether no route matched. */
  readonly is404: boolean;
  /** The route that matched. */
  readonly routeOptions: { readonly config?: { readonly [POINT]?: MountPoint } };
};
interface FastifyReplyLike {
  getHeader(name: string): number | string | string[] | undefined;
  readonly raw: ServerResponse | Http2ServerResponse;
  code(status: number): FastifyReplyLike;
  headers(values: object): FastifyReplyLike;
  send(payload?: Uint8Array | Readable): unknown;
}
type Done = (error?: unknown, value?: unknown) => void;
type Handler = (request: FastifyRequestLike, reply: FastifyReplyLike) => void;
interface RouteOptions {
  readonly config: object;
  readonly constraints?: object;
  readonly errorHandler: (error: unknown, request: FastifyRequestLike, reply: FastifyReplyLike) => void;
}

/** The part of Fastify's instance that is used. */
export interface FastifyLike {
  readonly supportedMethods: readonly string[];
  addHook(name: 'preParsing', hook: (request: FastifyRequestLike, reply: FastifyReplyLike, payload: unknown, done: Done) => void): unknown;
  addHook(name: 'preValidation' | 'preHandler', hook: (request: FastifyRequestLike, reply: FastifyReplyLike, done: Done) => void): unknown;
  addContentTypeParser(type: string, parser: (request: FastifyRequestLike, payload: unknown, done: Done) => void): unknown;
  hasContentTypeParser(type: string): boolean;
  all(url: string, options: RouteOptions, handler: Handler): unknown;
}

/** Fastify's own way, so that the hooks of the host (compression, headers) see the answer. Given bytes, it adds no charset to their type. */
const transport: Transport<FastifyReplyLike> = {
  given: (reply, name) => headerText(reply.getHeader(name) ?? reply.raw.getHeader(name)),
  write: (reply, { status, headers, bytes }) => {
    reply.code(status).headers(headers).send(bytes);
  },
  writeStream: (reply, { status, headers }, body) => {
    reply.code(status).headers(headers).send(body);
  },
  rawOf: ({ raw }) => raw,
};

/** A type of our own, which no host parses: our routes' bodies pass as it while Fastify looks for a parser. */
const CAPTURED_TYPE = 'application/x-nestjs-resource-api';

/** Methods whose bodies Fastify does not read, whatever their type. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

/** Marks our routes in their `config`, for hooks that run for all routes. */
const POINT: unique symbol = Symbol('nestjs-resource-api: mount');

/**
 * Reads the bodies of our routes, whatever their content type, and answers what reaches no route of ours below a mount. Install it before
 * `app.init()`.
 *
 * Fastify picks a parser by content type for all routes of an instance, answers 415 to JSON:API's, and 400 to a DELETE that names a type
 * and has no body. So the type is exchanged for one of ours while it parses, for our routes only, and put back before any guard looks.
 */
export function attachToFastify(app: FastifyLike, handler: RequestHandler): void {
  const contentTypes = new WeakMap<object, string | undefined>();
  const capturedType = freeType(app);
  const routes = once(() => handler.routes(transport));

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const point = pointOf(request, handler);
    if (point !== undefined) {
      openRequestContext(request, point);
      const { raw } = request;
      if (!BODYLESS.has(request.method)) {
        contentTypes.set(raw, raw.headers['content-type']);
        raw.headers['content-type'] = capturedType;
      }
    }
    done(null, payload);
  });
  app.addContentTypeParser(capturedType, (request, _payload, done) => {
    const { raw } = request;
    const exchange = requestContextOf(raw);
    if (exchange === undefined || !contentTypes.has(raw)) {
      done(new UnsupportedMediaTypeException());
      return;
    }
    restore(raw, contentTypes);
    handler.bodies.read(raw, exchange, (body) => {
      done(undefined, body?.kind === 'json' ? body.value : undefined);
    });
  });
  app.addHook('preValidation', ({ raw }, _reply, done) => {
    restore(raw, contentTypes);
    done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    const exchange = request.is404 ? requestContextOf(request) : undefined;
    if (exchange === undefined) {
      done();
      return;
    }
    // Fastify routes no method that its instance does not support, so that such a request reaches its route here, and is refused with `Allow`.
    const isRouted = app.supportedMethods.includes(request.method);
    const route = isRouted ? undefined : routes().find(({ point, match }) => point === exchange.point && match(request.url));
    if (route) void route.serve(exchange, [Object.assign(request, { params: route.match(request.url) }), reply, undefined]);
    else respond(handler, reply, exchange);
  });
}

/** Registers our routes. Fastify prefers the more specific route, in whichever order they are registered. */
export function serveOnFastify(app: FastifyLike, handler: RequestHandler, versioned: <H extends Handler>(handler: H) => H): void {
  for (const { point, path, serve } of handler.routes(transport)) {
    const route = versioned((request: FastifyRequestLike, reply: FastifyReplyLike) => {
      const exchange = openRequestContext(request, point);
      // The router matches `/post/` with an empty parameter.
      if (Object.values(request.params ?? {}).includes('')) respond(handler, reply, exchange);
      else void serve(exchange, [request, reply, undefined]);
    });
    const version = 'version' in route ? route.version : undefined;
    app.all(
      path,
      {
        config: { [POINT]: point },
        ...(version !== undefined && { constraints: { version } }),
        errorHandler: (thrown, request, reply) => {
          handler.respond(transport, reply, { thrown, style: point.style, exchange: openRequestContext(request, point) });
        },
      },
      route,
    );
  }
}

/** What reached no endpoint. */
function respond(handler: RequestHandler, reply: FastifyReplyLike, exchange: RequestContext): void {
  const { style } = exchange.point;
  handler.respond(transport, reply, { thrown: exchange.bodyFault ?? unknownPathError(style), style, exchange });
}

/** The mount whose route matched, or below which there is no route. */
function pointOf({ is404, url, routeOptions }: FastifyRequestLike, { mounts }: RequestHandler): MountPoint | undefined {
  if (is404) return mounts.pointOf(url);
  const point = routeOptions.config?.[POINT];
  return point && mounts.all.includes(point) ? point : undefined;
}

/** One type per module instance: several may be mounted side by side. */
function freeType(app: FastifyLike): string {
  for (let number = 1; ; number++) {
    const type = `${CAPTURED_TYPE}-${number}`;
    if (!app.hasContentTypeParser(type)) return type;
  }
}

function restore(raw: IncomingMessage, contentTypes: WeakMap<object, string | undefined>): void {
  if (!contentTypes.has(raw)) return;
  const contentType = contentTypes.get(raw);
  if (contentType === undefined) delete raw.headers['content-type'];
  else raw.headers['content-type'] = contentType;
}
