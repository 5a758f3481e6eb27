import { type IncomingMessage, type ServerResponse } from 'node:http';
import { UnsupportedMediaTypeException } from '@nestjs/common';
import { bodyFaultOf, keepBodyFault } from './body-fault.js';
import { type PlatformEdge } from './platform-edge.service.js';
import { unknownPathError } from './unknown-path-error.js';

interface FastifyRequestLike {
  readonly raw: IncomingMessage;
  readonly url: string;
  /** Whether no route matched. */
  readonly is404: boolean;
  /** The route that matched. */
  readonly routeOptions: { readonly url?: string | undefined };
}
interface FastifyReplyLike {
  readonly raw: ServerResponse;
}
type Done = (error?: unknown, value?: unknown) => void;
type ErrorHandler = (error: unknown, request: FastifyRequestLike, reply: FastifyReplyLike) => void;
interface RouteLike {
  readonly url: string;
  errorHandler?: ErrorHandler;
}

/** The part of Fastify's instance that is used. */
export interface FastifyLike {
  addHook(name: 'preParsing', hook: (request: FastifyRequestLike, reply: FastifyReplyLike, payload: unknown) => Promise<unknown>): unknown;
  addHook(name: 'preValidation' | 'preHandler', hook: (request: FastifyRequestLike, reply: FastifyReplyLike, done: Done) => void): unknown;
  addHook(name: 'onRoute', hook: (route: RouteLike) => void): unknown;
  addContentTypeParser(type: string, parser: (request: FastifyRequestLike, payload: unknown, done: Done) => void): unknown;
  hasContentTypeParser(type: string): boolean;
}

/** A type of our own, which no host parses: our routes' bodies pass as it while Fastify looks for a parser. */
const CAPTURED_TYPE = 'application/x-nestjs-resource-api';

/**
 * Reads the bodies of our routes, whatever their content type, and answers what never reached a controller in the style of the mount.
 * Install it before `app.init()`.
 *
 * Fastify picks a parser by content type for all routes of an instance, answers 415 to JSON:API's, and 400 to a DELETE that names a type
 * and has no body. So the type is exchanged for one of ours while it parses, for our routes only, and put back before any guard looks.
 */
export function attachToFastify(app: FastifyLike, edge: PlatformEdge): void {
  const contentTypes = new WeakMap<IncomingMessage, string | undefined>();
  const capturedType = freeType(app);
  app.addHook('onRoute', (route) => {
    const style = edge.mounts.styleOf(route.url);
    if (style === undefined) return;
    route.errorHandler = (error, _request, reply) => {
      edge.responder.respond(error, style, reply);
    };
  });
  app.addHook('preParsing', ({ raw, url, routeOptions }, _reply, payload) => {
    if (edge.mounts.claim(raw, url, routeOptions.url) && !contentTypes.has(raw)) {
      contentTypes.set(raw, raw.headers['content-type']);
      raw.headers['content-type'] = capturedType;
    }
    return Promise.resolve(payload);
  });
  app.addContentTypeParser(capturedType, ({ raw, is404 }, _payload, done) => {
    if (!contentTypes.has(raw)) {
      done(new UnsupportedMediaTypeException());
      return;
    }
    restore(raw, contentTypes);
    edge.bodies.read(raw, undefined as never, (fault, body) => {
      // Where no route has an error handler of ours, the hook below answers.
      if (is404) keepBodyFault(raw, fault);
      done(is404 ? undefined : fault, body?.kind === 'json' ? body.value : undefined);
    });
  });
  app.addHook('preValidation', ({ raw }, _reply, done) => {
    restore(raw, contentTypes);
    done();
  });
  // Nest turns a match with an empty parameter (`/post/`) into a 404 inside the handler: only this hook sees it again.
  app.addHook('preHandler', ({ raw, url, is404 }, reply, done) => {
    const style = is404 ? edge.mounts.styleOf(url) : undefined;
    if (style === undefined) done();
    else edge.responder.respond(bodyFaultOf(raw) ?? unknownPathError(style), style, reply);
  });
}

/** One type per module instance: several may be mounted side by side. */
function freeType(app: FastifyLike): string {
  for (let number = 1; ; number++) {
    const type = `${CAPTURED_TYPE}-${number}`;
    if (!app.hasContentTypeParser(type)) return type;
  }
}

function restore(raw: IncomingMessage, contentTypes: WeakMap<IncomingMessage, string | undefined>): void {
  if (!contentTypes.has(raw)) return;
  const contentType = contentTypes.get(raw);
  if (contentType === undefined) delete raw.headers['content-type'];
  else raw.headers['content-type'] = contentType;
}
