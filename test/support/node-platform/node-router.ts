import { match, type MatchFunction, type ParamData } from 'path-to-regexp';
import type { NodeRequest, NodeResponse } from './node-messages.js';
import { routingPath } from './routing-path.js';

export type Next = (error?: unknown) => void;
export type Handler = (request: NodeRequest, response: NodeResponse, next: Next) => unknown;
export type ErrorHandler = (error: unknown, ...given: Parameters<Handler>) => unknown;
type AnyHandler = Handler | ErrorHandler;

/** A middleware, or all routes that were registered one after the other. */
interface Layer {
  readonly handlersFor: (request: NodeRequest, path: string) => readonly Matched[];
  readonly isForErrors: boolean;
  readonly table?: { lookup(method: string, path: string): object | null };
}

interface Matched {
  readonly handler: AnyHandler;
  readonly params?: object;
  /** The part of the path that the handler does not see. */
  readonly mountPath?: string;
}

interface Route {
  readonly method: string | undefined;
  readonly path: string;
  readonly matches: MatchFunction<ParamData>;
  readonly handler: Handler;
}

/** The application of {@link NodeAdapter}. */
export interface NodeRouter {
  (request: NodeRequest, response: NodeResponse): void;
  readonly stack: readonly Layer[];
  handle(request: NodeRequest, response: NodeResponse): void;
  use(...given: [string, ...AnyHandler[]] | AnyHandler[]): void;
  /** Adds a middleware for one path and, unless it is undefined, one method. */
  useExact(method: string | undefined, path: string, handler: Handler): void;
  route(method: string | undefined, path: string, handler: Handler): void;
}

/**
 * Creates a connect-style application: middleware in the order of `use`, and routes that are matched by specificity. An invalid path skips
 * everything but the error handlers.
 *
 * @param last receives the requests that no handler has answered
 */
export function createNodeRouter(last: ErrorHandler): NodeRouter {
  const layers: Layer[] = [];
  let routes: Route[] | undefined;
  const add = (handlersFor: Layer['handlersFor'], isForErrors = false): void => {
    routes = undefined;
    layers.push({ handlersFor, isForErrors });
  };
  const addTable = (): Route[] => {
    const table: Route[] = [];
    const lookup = (method: string, path: string): object | null => routesFor(table, { method }, path)[0] ?? null;
    layers.push({ handlersFor: (request, path) => routesFor(table, request, path), isForErrors: false, table: { lookup } });
    return table;
  };
  const handle = (request: NodeRequest, response: NodeResponse): void => {
    request.originalUrl ??= request.url ?? '';
    request.params ??= {};
    run(layers, request, response, last);
  };
  return Object.assign(handle.bind(undefined), {
    stack: layers,
    handle,
    use: (...given: [string, ...AnyHandler[]] | AnyHandler[]) => {
      const [path, handlers] = typeof given[0] === 'string' ? [given[0], given.slice(1)] : ['/', given];
      const matches = path === '/' || path === '' ? undefined : match(loose(path), { end: false });
      for (const handler of handlers as AnyHandler[]) {
        add((_, url) => (matches ? mounted(matches(url), handler) : [{ handler }]), handler.length === 4);
      }
    },
    useExact: (method: string | undefined, path: string, handler: Handler) => {
      const matches = match(loose(path));
      add((request, url) => {
        const found = isMethod(method, request) && matches(url);
        return found ? [{ handler, params: found.params }] : [];
      });
    },
    route: (method: string | undefined, path: string, handler: Handler) => {
      routes ??= addTable();
      routes.push({ method, path, matches: match(loose(path), { sensitive: true }), handler });
      routes.sort((left, right) => compareSpecificity(left.path, right.path));
    },
  });
}

function run(layers: readonly Layer[], request: NodeRequest, response: NodeResponse, last: ErrorHandler): void {
  let index = 0;
  let waiting: readonly Matched[] = [];
  const { url = '' } = request;
  const next = (error?: unknown): void => {
    request.url = url;
    let fault = error;
    let path = '';
    try {
      path = routingPath(url);
    } catch (thrown) {
      fault ??= thrown;
    }
    if (fault !== undefined) waiting = [];
    while (waiting.length === 0) {
      const layer = layers[index++];
      if (layer === undefined) {
        last(fault, request, response, () => undefined);
        return;
      }
      if (layer.isForErrors === (fault !== undefined)) waiting = layer.handlersFor(request, path);
    }
    const [first, ...others] = waiting;
    waiting = others;
    if (first) call(first, { request, response, next }, fault);
  };
  next();
}

interface Exchange {
  readonly request: NodeRequest;
  readonly response: NodeResponse;
  readonly next: Next;
}

function call({ handler, params, mountPath }: Matched, { request, response, next }: Exchange, fault: unknown): void {
  if (params) request.params = params;
  // Decoding leaves the number of segments as it is.
  if (mountPath !== undefined) request.url = `/${(request.url ?? '').split('/').slice(mountPath.split('/').length).join('/')}`;
  const forward = (thrown: unknown): void => {
    next(thrown ?? new Error('Something was thrown that is no error.'));
  };
  try {
    const result =
      fault === undefined ? (handler as Handler)(request, response, next) : (handler as ErrorHandler)(fault, request, response, next);
    Promise.resolve(result).catch(forward);
  } catch (thrown) {
    forward(thrown);
  }
}

function mounted(found: ReturnType<MatchFunction<ParamData>>, handler: AnyHandler): readonly Matched[] {
  return found ? [{ handler, params: found.params, mountPath: found.path.replace(/\/$/, '') }] : [];
}

function routesFor(table: readonly Route[], request: Pick<NodeRequest, 'method'>, path: string): readonly Matched[] {
  return table.flatMap(({ method, matches, handler }) => {
    const found = isMethod(method, request) && matches(path);
    return found ? [{ handler, params: found.params }] : [];
  });
}

function isMethod(method: string | undefined, { method: requested }: Pick<NodeRequest, 'method'>): boolean {
  return method === undefined || method === requested || (method === 'GET' && requested === 'HEAD');
}

function loose(path: string): string {
  return path === '/' ? path : path.replace(/\/+$/, '');
}

/** Fixed segments come before parameters, and those before wildcards. */
function compareSpecificity(left: string, right: string): number {
  const [ranks, others] = [ranksOf(left), ranksOf(right)];
  const index = ranks.findIndex((rank, place) => rank !== others[place]);
  return index < 0 ? 0 : (ranks[index] ?? 0) - (others[index] ?? 0);
}

function ranksOf(path: string): readonly number[] {
  return path.split('/').map((segment) => (segment.includes('*') ? 2 : Number(segment.includes(':'))));
}
