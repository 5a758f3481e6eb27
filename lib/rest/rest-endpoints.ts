import type { Action } from '../model/surface/surface.js';

/**
 * Every REST endpoint: which paths there are, which methods each answers, and what that does (specification, section 4.1). The controller,
 * `Allow` headers, {@link resourceOperation} and the OpenAPI document read this table. HEAD is answered wherever GET is.
 */
export const REST_ENDPOINTS = {
  collection: {
    path: ':type',
    methods: {
      GET: { operation: 'fetchCollection', action: 'read' },
      POST: { operation: 'createResource', action: 'create' },
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
    },
  },
  related: {
    path: ':type/:id/:relationship',
    methods: {
      GET: { operation: 'fetchRelated', action: 'read' },
      PATCH: { operation: 'replaceRelated', action: 'update' },
      PUT: { operation: 'replaceRelated', action: 'update' },
    },
  },
} as const satisfies Readonly<Record<string, RestEndpoint>>;

interface RestEndpoint {
  readonly path: string;
  readonly methods: Readonly<Partial<Record<RestMethod, RestOperation>>>;
}

type RestMethod = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The kinds of path. */
export type RestEndpointKind = keyof typeof REST_ENDPOINTS;

/** The names of what REST can do: the methods of the two services. */
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

/** What a method does on a kind of path; undefined where it is not allowed there. */
export function restOperation(kind: RestEndpointKind, method: string): RestOperation | undefined {
  const { methods }: RestEndpoint = REST_ENDPOINTS[kind];
  const name = method === 'HEAD' ? 'GET' : method;
  return Object.hasOwn(methods, name) ? methods[name as RestMethod] : undefined;
}

/** The value of the `Allow` header of a kind of path (RFC 9110, section 10.2.1). */
export function allowedMethods(kind: RestEndpointKind): string {
  return ['GET', 'HEAD', ...Object.keys(REST_ENDPOINTS[kind].methods).filter((method) => method !== 'GET')].join(', ');
}
