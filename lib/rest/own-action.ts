import type { OwnAction, Resource, Surface } from '../model/surface/surface.js';
import type { RestEndpointKind } from './rest-endpoints.js';

/** An operation of the host's own, and the resource that a path names it of. */
export interface NamedAction {
  readonly resource: Resource;
  readonly action: OwnAction;
}

/** By the kind of path, the parameter that is the name of an action. */
const NAMES: Readonly<Partial<Record<RestEndpointKind, { readonly parameter: string; readonly on: OwnAction['on'] }>>> = {
  resource: { parameter: 'id', on: 'collection' },
  related: { parameter: 'relationship', on: 'record' },
};

/** The host's own operation that a path names: `/:type/:action` of the collection, `/:type/:id/:action` of one record. */
export function namedAction(kind: RestEndpointKind, params: Readonly<Record<string, string>>, surface: Surface): NamedAction | undefined {
  const named = surface.ownActions && NAMES[kind];
  const resource = named && surface.byType.get((params['type'] ?? '').toLowerCase());
  if (!resource) return undefined;
  const action = surface.ownActions.get(resource.model)?.get(params[named.parameter] ?? '');
  return action?.on === named.on ? { resource, action } : undefined;
}
