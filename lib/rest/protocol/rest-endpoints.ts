import type { Action, OwnAction, Resource, Surface } from '../../model/surface/surface.js';
import { QUERY_MEDIA_TYPE } from './media-type.js';

/**
 * All REST endpoints: their paths, and the operation of each method (specification, section 4.1).
 *
 * `restStyle` (the routes), `RestService`, `Allow` headers, {@link resourceOperation} and the OpenAPI document read this table. HEAD is
 * supported wherever GET is.
 */
export const REST_ENDPOINTS = {
  collection: {
    path: ':type',
    methods: {
      GET: { operation: 'fetchCollection', action: 'read' },
      POST: { operation: 'createResource', action: 'create' },
      QUERY: { operation: 'fetchCollection', action: 'read' },
    },
  },
  resource: {
    path: ':type/:id',
    methods: {
      GET: { operation: 'fetchResource', action: 'read' },
      PATCH: { operation: 'updateResource', action: 'update' },
      PUT: { operation: 'updateResource', action: 'update' },
      DELETE: { operation: 'deleteResource', action: 'delete' },
    },
  },
  relationship: {
    path: ':type/:id/relationships/:relationship',
    methods: {
      GET: { operation: 'fetchRelationship', action: 'read' },
      POST: { operation: 'addToRelationship', action: 'update' },
      PATCH: { operation: 'replaceRelationship', action: 'update' },
      PUT: { operation: 'replaceRelationship', action: 'update' },
      DELETE: { operation: 'removeFromRelationship', action: 'update' },
      QUERY: { operation: 'fetchRelationship', action: 'read' },
    },
  },
  related: {
    path: ':type/:id/:relationship',
    methods: {
      GET: { operation: 'fetchRelated', action: 'read' },
      PATCH: { operation: 'replaceRelated', action: 'update' },
      PUT: { operation: 'replaceRelated', action: 'update' },
      QUERY: { operation: 'fetchRelated', action: 'read' },
    },
  },
} as const satisfies Readonly<Record<string, RestEndpoint>>;

/** The endpoint of the Atomic Operations extension. Its path is an option, and without that option it does not exist. */
export const OPERATIONS_ENDPOINT = { name: 'operations', operation: 'executeOperations', allow: 'POST' } as const;

interface RestEndpoint {
  readonly path: string;
  readonly methods: Readonly<Partial<Record<RestMethod, RestOperation>>>;
}

type RestMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'QUERY';

/** The kinds of REST paths. */
export type RestEndpointKind = keyof typeof REST_ENDPOINTS;

/**
 * Returns the path kind of an endpoint that the platform has registered.
 *
 * @throws TypeError for an unknown name
 */
export function endpointKind(name: string): RestEndpointKind {
  // `as`: the table has all kinds as its keys.
  if (Object.hasOwn(REST_ENDPOINTS, name)) return name as RestEndpointKind;
  throw new TypeError(`There is no endpoint '${name}'.`);
}

/** The names of REST operations: methods of the read service and the write service. */
export type RestOperationName =
  | 'fetchCollection'
  | 'fetchResource'
  | 'fetchRelated'
  | 'fetchRelationship'
  | 'createResource'
  | 'updateResource'
  | 'deleteResource'
  | 'addToRelationship'
  | 'replaceRelationship'
  | 'removeFromRelationship'
  | 'replaceRelated';

export interface RestOperation {
  readonly operation: RestOperationName;
  readonly action: Action;
}

/** Returns the operation of a method on a kind of path; undefined if the method is not allowed there. */
export function restOperation(kind: RestEndpointKind, method: string): RestOperation | undefined {
  const methods: Readonly<Record<string, RestOperation>> = REST_ENDPOINTS[kind].methods;
  const name = method === 'HEAD' ? 'GET' : method;
  return Object.hasOwn(methods, name) ? methods[name] : undefined;
}

/**
 * Returns the methods of a kind of path as the value of `Allow` (RFC 9110, section 10.2.1).
 *
 * @param action the action that the path names, which takes POST
 */
export function allowedMethods(kind: RestEndpointKind, action?: NamedAction): string {
  const others = Object.keys(REST_ENDPOINTS[kind].methods).filter((method) => method !== 'GET');
  return ['GET', 'HEAD', ...others, ...(action ? ['POST'] : [])].join(', ');
}

/** Returns the headers that describe a path: `Allow`, and `Accept-Query` if QUERY is one of its methods (RFC 10008, section 3). */
export function methodHeaders(kind: RestEndpointKind, action?: NamedAction): Readonly<Record<string, string>> {
  const { methods }: RestEndpoint = REST_ENDPOINTS[kind];
  return { Allow: allowedMethods(kind, action), ...(methods.QUERY && { 'Accept-Query': QUERY_MEDIA_TYPE }) };
}

/** An operation of the application (`@ResourceAction`), and the resource whose path names it. */
export interface NamedAction {
  readonly resource: Resource;
  readonly action: OwnAction;
}

/** The path parameter that can contain the name of an action, by kind of path. */
const NAMES: Readonly<Partial<Record<RestEndpointKind, { readonly parameter: string; readonly on: OwnAction['on'] }>>> = {
  resource: { parameter: 'id', on: 'collection' },
  related: { parameter: 'relationship', on: 'record' },
};

/** Returns the application's operation that a path names: `/:type/:action` for the collection, `/:type/:id/:action` for one record. */
export function namedAction(kind: RestEndpointKind, params: Readonly<Record<string, string>>, surface: Surface): NamedAction | undefined {
  const named = surface.ownActions && NAMES[kind];
  const resource = named && surface.byType.get((params['type'] ?? '').toLowerCase());
  if (!resource) return undefined;
  const action = surface.ownActions.get(resource.model)?.get(params[named.parameter] ?? '');
  return action?.on === named.on ? { resource, action } : undefined;
}
