import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { expectRequestContext } from '../request-context.js';

/** The description of the symbol under which Express' router stores the path that has matched. */
const MATCHED_ROUTE = 'router.tracing.matchedRoute';

/** The first major version of Node.js whose V8 shares the hidden classes of objects with a changed prototype. */
const FIXED_IN = 24;

/**
 * Prevents V8 from creating a hidden class for each request and response of Express.
 *
 * Express changes the prototype of both. V8 of Node.js 20 and 22 then creates a new hidden class whenever a property is added, and does not
 * share it. No access to properties of these objects is cached from then on, and a small request takes up to twice as long
 * (nodejs/node#37457).
 *
 * Therefore the properties that are added later are added before Express receives the objects, each with the value that reading it returns
 * until then. They shadow properties of these names that the application has added to Express' prototypes.
 *
 * If the adapter has no server, because the application serves its Express application itself, nothing is changed.
 */
export class HiddenClasses {
  private matchedRoute: symbol | undefined;
  private isLearned = false;

  /**
   * @param isOurs whether a URL names a resource of this module; requests to other routes are not changed, even below the prefix of this
   * module
   */
  constructor(private readonly isOurs: (url: string) => boolean) {}

  /** Prepends a listener, because Express has registered its own already. */
  attach(server: Partial<Server> | undefined): void {
    if (Number.parseInt(process.versions.node, 10) >= FIXED_IN) return;
    server?.prependListener?.('request', (request: IncomingMessage & Members, response: ServerResponse & Members) => {
      try {
        if (this.isOurs(request.url ?? '')) this.prepare(request, response);
      } catch {
        // A listener of the application may have made a property read-only. An error here would end the process, and ignoring it costs only
        // time.
      }
    });
  }

  /** Finds the router's symbol on a request for which a route has matched. */
  learn(request: object): void {
    if (this.isLearned) return;
    this.isLearned = true;
    this.matchedRoute = Object.getOwnPropertySymbols(request).find(({ description }) => description === MATCHED_ROUTE);
  }

  private prepare(request: IncomingMessage & Members, response: ServerResponse & Members): void {
    ownRequest(request, this.matchedRoute);
    ownResponse(response);
    expectRequestContext(request);
  }
}

/**
 * Adds the properties that Node (`_eventsCount`), Express, its router, body-parser and on-finished add later. They are written out, because
 * a loop over the names would take several times as long.
 */
function ownRequest(request: Members, matchedRoute: symbol | undefined): void {
  const { _eventsCount, _parsedUrl, __onFinished, next, baseUrl, originalUrl, route, params, body } = request;
  request['_eventsCount'] = _eventsCount;
  request['_parsedUrl'] = _parsedUrl;
  request['__onFinished'] = __onFinished;
  request['next'] = next;
  request['baseUrl'] = baseUrl;
  request['originalUrl'] = originalUrl;
  request['route'] = route;
  request['params'] = params;
  request['body'] = body;
  if (matchedRoute !== undefined) request[matchedRoute] = request[matchedRoute];
}

function ownResponse(response: Members): void {
  const { __onFinished, locals, statusCode, statusMessage } = response;
  response['__onFinished'] = __onFinished;
  response['locals'] = locals;
  response['statusCode'] = statusCode;
  response['statusMessage'] = statusMessage;
}

/** Properties of a request or a response, including those that no type declares. */
type Members = Record<string | symbol, unknown>;
