import type { Resource } from '../../model/surface/surface.js';
import { formatId, segmentOfId } from '../../model/values/resource-id.js';
import type { Row } from '../../query/result.js';
import type { RelationshipTarget } from '../parse/target.js';
import type { RestSettings } from '../../options/rest-settings.js';
import type { RelationshipLinks } from './document.js';

/** `<endpoint>/<type>`; links come from the option `endpoint` alone, never from the request. */
export function collectionUrl(resource: Resource, settings: RestSettings): string {
  return `${settings.endpoint}/${encodeURIComponent(resource.type)}`;
}

/** `<endpoint>/<type>/<id>`: the `self` link of a resource. Every id has a URL that leads to its record alone. */
export function resourceUrl(resource: Resource, id: string | number, settings: RestSettings): string {
  return `${collectionUrl(resource, settings)}/${encodeURIComponent(segmentOfId(String(id)))}`;
}

/** {@link resourceUrl} of a row: the `Location` of a resource that was created (CR-08). */
export function rowUrl(row: Row, resource: Resource, settings: RestSettings): string {
  return resourceUrl(resource, formatId(resource.identifier, row, settings.idDivider), settings);
}

/** The links of a relationship, below the URL of the resource that has it; `path` is its member name, percent-encoded. */
export function relationshipUrls(self: string, path: string): RelationshipLinks {
  return { self: `${self}/relationships/${path}`, related: `${self}/${path}` };
}

/** {@link relationshipUrls} of a path. */
export function targetRelationshipUrls({ resource, id, relationship }: RelationshipTarget, settings: RestSettings): RelationshipLinks {
  return relationshipUrls(resourceUrl(resource, id.text, settings), encodeURIComponent(relationship.member));
}
