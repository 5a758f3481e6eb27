import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { expectRequestContext } from '../request-context.js';

/** The router's own symbol, under which it keeps the path that has matched. */
const MATCHED_ROUTE = 'router.tracing.matchedRoute';

/** The first version of Node.js whose V8 shares them. */
const FIXED_IN = 24;

/**
 * Lets V8 keep the hidden classes of Express' requests and responses.
 *
 * Express changes the prototype of each of them. To an object with a changed prototype, V8 of Node.js 20 and 22 gives a new hidden class whenever a
 * property is added, and shares it with no other object: no access to a property is cached from there on, and a small request takes up to twice as
 * long (nodejs/node#37457). So the properties that are added later are added before Express sees them, each with the value that it is read as until
 * then. What a host puts on Express' own prototypes under these names is hidden by them.
 *
 * Without a server of the adapter's own (an Express application that the host serves by itself) nothing is changed.
 */
export class HiddenClasses {
  private matchedRoute: symbol | undefined;
  private isLearned = false;

  /** @param isOurs whether a URL names a resource of this module: requests to other routes are left as they are, below our prefix too */
  constructor(private readonly isOurs: (url: string) => boolean) {}

  /** Comes before Express, which listens by now. */
  attach(server: Partial<Server> | undefined): void {
    if (Number.parseInt(process.versions.node, 10) >= FIXED_IN) return;
    server?.prependListener?.('request', (request: IncomingMessage & Members, response: ServerResponse & Members) => {
      try {
        if (this.isOurs(request.url ?? '')) this.prepare(request, response);
      } catch {
        // A listener of the host may have made one of them read-only. Thrown here it would end the process, and all there is to lose is time.
      }
    });
  }

  /** Finds the router's symbol on a request that it has routed. */
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

/** What Node (`_eventsCount`), Express, its router, body-parser and on-finished add. A loop over the names would take several times as long. */
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

/** Of a request or a response, whoever has declared them. */
type Members = Record<string | symbol, unknown>;
