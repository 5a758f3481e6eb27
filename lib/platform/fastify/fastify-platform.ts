import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Readable } from 'node:stream';
import { Logger, UnsupportedMediaTypeException } from '@nestjs/common';
import { headerText } from '../outgoing.js';
import type { RequestHandler, Transport } from '../request-handler.service.js';
import { type RequestContext, requestContextOf, type IncomingRequest, openRequestContext } from '../request-context.js';
import type { MountPoint } from '../mount-point.js';
import { unknownPathError } from '../style.js';
import { once } from '../../utils/memoize-by-object.js';

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

/** The used part of Fastify's instance. */
export interface FastifyLike {
  readonly supportedMethods: readonly string[];
  addHook(name: 'preParsing', hook: (request: FastifyRequestLike, reply: FastifyReplyLike, payload: unknown, done: Done) => void): unknown;
  addHook(
    name: 'preValidation' | 'preHandler' | 'onResponse',
    hook: (request: FastifyRequestLike, reply: FastifyReplyLike, done: Done) => void,
  ): unknown;
  addContentTypeParser(type: string, parser: (request: FastifyRequestLike, payload: unknown, done: Done) => void): unknown;
  hasContentTypeParser(type: string): boolean;
  all(url: string, options: RouteOptions, handler: Handler): unknown;
}

/**
 * Sends through Fastify, so that hooks of the application (compression, headers) receive the response. Fastify adds no charset to the type
 * of bytes.
 */
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

/** A content type without a parser of the application. It replaces the type of this module's requests while Fastify selects a parser. */
const CAPTURED_TYPE = 'application/x-nestjs-resource-api';

/** Methods whose bodies Fastify never reads. */
const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

/** Marks the routes of this module in their `config`, for hooks that run for all routes. */
const POINT: unique symbol = Symbol('nestjs-resource-api: mount');

/**
 * Reads the bodies of requests to this module, of any content type, and answers requests below a mount that reach no route. Call it before
 * `app.init()`.
 *
 * Fastify selects a parser by content type for all routes of an instance. It answers JSON:API's type with 415, and a DELETE with a type and
 * without a body with 400. Therefore the type of this module's requests is replaced while Fastify selects the parser, and restored before
 * any guard runs.
 */
export function attachToFastify(app: FastifyLike, handler: RequestHandler): void {
  const capturedType = freeType(app);
  const routes = once(() => handler.routes(transport));

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const point = pointOf(request, handler);
    if (point !== undefined) {
      const requestContext = openRequestContext(request, point);
      const { headers } = request.raw;
      if (!BODYLESS.has(request.method)) {
        requestContext.replacedType = { given: headers['content-type'] };
        headers['content-type'] = capturedType;
      }
    }
    done(null, payload);
  });
  app.addContentTypeParser(capturedType, (request, _payload, done) => {
    const { raw } = request;
    const requestContext = requestContextOf(raw);
    if (requestContext?.replacedType === undefined) {
      done(new UnsupportedMediaTypeException());
      return;
    }
    restoreType(raw);
    handler.bodies.read(raw, requestContext, (body) => {
      done(undefined, body?.kind === 'json' ? body.value : undefined);
    });
  });
  app.addHook('preValidation', ({ raw }, _reply, done) => {
    restoreType(raw);
    done();
  });
  app.addHook('preHandler', (request, reply, done) => {
    const requestContext = request.is404 ? requestContextOf(request) : undefined;
    if (requestContext === undefined) {
      done();
      return;
    }
    // Fastify does not route methods that its instance does not support. Such a request is passed to its route here, which rejects it with
    // `Allow`.
    const isRouted = app.supportedMethods.includes(request.method);
    const route = isRouted ? undefined : routes().find(({ point, match }) => point === requestContext.point && match(request.url));
    if (route) void route.serve(requestContext, [Object.assign(request, { params: route.match(request.url) }), reply, undefined]);
    else respond(handler, reply, requestContext);
  });
  app.addHook('onResponse', warnOfCors(handler));
}

/**
 * Returns a hook that logs once that CORS refuses a method of the API to browsers. `@fastify/cors` allows GET, HEAD and POST if the
 * application names no others.
 */
function warnOfCors({ mounts }: RequestHandler): (request: FastifyRequestLike, reply: FastifyReplyLike, done: Done) => void {
  let isWarned = false;
  return ({ method, headers, url }, reply, done) => {
    const wanted = method === 'OPTIONS' ? headerText(headers['access-control-request-method']) : undefined;
    if (wanted !== undefined && !isWarned && CORS_METHODS.has(wanted)) {
      const allowed = headerText(reply.getHeader('access-control-allow-methods'))?.split(/\s*,\s*/);
      if (allowed && !allowed.includes(wanted) && !allowed.includes('*') && mounts.pointOf(url)) {
        isWarned = true;
        new Logger('ResourceApi').warn(
          `CORS has refused ${wanted} to a browser, because it allows only ${allowed.join(', ')}. ` +
            `Name all methods: app.enableCors({ methods: ['GET', 'QUERY', 'POST', 'PATCH', 'PUT', 'DELETE'] }).`,
        );
      }
    }
    done();
  };
}

/** Methods of the API that `@fastify/cors` refuses by default. */
const CORS_METHODS: ReadonlySet<string> = new Set(['PATCH', 'PUT', 'DELETE', 'QUERY']);

/** Registers the routes of this module. Fastify prefers the more specific route, in any order of registration. */
export function serveOnFastify(app: FastifyLike, handler: RequestHandler, versioned: <H extends Handler>(handler: H) => H): void {
  for (const { point, path, serve } of handler.routes(transport)) {
    const route = versioned((request: FastifyRequestLike, reply: FastifyReplyLike) => {
      const requestContext = openRequestContext(request, point);
      // Fastify's router matches `/post/` with an empty parameter.
      if (Object.values(request.params ?? {}).includes('')) respond(handler, reply, requestContext);
      else void serve(requestContext, [request, reply, undefined]);
    });
    const version = 'version' in route ? route.version : undefined;
    app.all(
      path,
      {
        config: { [POINT]: point },
        ...(version !== undefined && { constraints: { version } }),
        errorHandler: (thrown, request, reply) => {
          handler.respond(transport, reply, { thrown, style: point.style, requestContext: openRequestContext(request, point) });
        },
      },
      route,
    );
  }
}

/** Answers a request that has reached no endpoint. */
function respond(handler: RequestHandler, reply: FastifyReplyLike, requestContext: RequestContext): void {
  const { style } = requestContext.point;
  handler.respond(transport, reply, { thrown: handler.bodyFaultOf(requestContext) ?? unknownPathError(style), style, requestContext });
}

/** Returns the mount whose route has matched, or whose path is a prefix of an unmatched URL. */
function pointOf({ is404, url, routeOptions }: FastifyRequestLike, { mounts }: RequestHandler): MountPoint | undefined {
  if (is404) return mounts.pointOf(url);
  const point = routeOptions.config?.[POINT];
  return point && mounts.all.includes(point) ? point : undefined;
}

/** Returns a content type that no other instance of this module has registered, because an application may have several. */
function freeType(app: FastifyLike): string {
  for (let number = 1; ; number++) {
    const type = `${CAPTURED_TYPE}-${number}`;
    if (!app.hasContentTypeParser(type)) return type;
  }
}

/** Restores the content type of a request, if it was replaced. */
function restoreType(raw: IncomingMessage): void {
  const replaced = requestContextOf(raw)?.replacedType;
  if (!replaced) return;
  if (replaced.given === undefined) delete raw.headers['content-type'];
  else raw.headers['content-type'] = replaced.given;
}
