import type { Server } from 'node:http';
import { answerTheRest, type ConnectLike, connectTransport, type Middleware } from '../connect/connect-platform.js';
import type { RequestHandler } from '../request-handler.service.js';
import { openRequestContext } from '../request-context.js';
import { HiddenClasses } from './hidden-classes.js';

/** The used part of Express' application. */
export interface ExpressLike extends ConnectLike {
  all(path: string, handler: Middleware): unknown;
}

/** An Express application and its HTTP server. */
export interface ExpressApplication {
  readonly app: ExpressLike;
  /** Undefined if the adapter has no server. */
  readonly server: Server | undefined;
}

/**
 * Registers the routes of this module. Call it after Nest has registered the routes of all controllers, and before Nest's final handlers.
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
  for (const { point, path, match, serve } of handler.routes(connectTransport)) {
    const middleware: Middleware = (request, response, next) => {
      classes.learn(request);
      // Express' router also accepts a trailing slash and other letter cases, and Fastify's does not.
      if (match(request.url) && mounts.serves(point, request.url))
        void serve(openRequestContext(request, point), [request, response, next]);
      else next();
    };
    app.all(path, versioned(middleware));
  }
  answerTheRest(app, handler);
}
