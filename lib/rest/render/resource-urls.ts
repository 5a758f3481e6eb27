import type { Resource } from '../../model/surface/surface.js';
import { formatId, segmentOfId } from '../../model/values/resource-id.js';
import type { Row } from '../../query/result.js';
import type { RelationshipTarget } from '../parse/target.js';
import type { RestSettings } from '../../options/rest-settings.js';
import type { RelationshipLinks } from './document.js';

/** Returns the URL of a collection: `<endpoint>/<type>`. Because links use the option `endpoint` alone, no request header can change them. */
export function collectionUrl(resource: Resource, settings: RestSettings): string {
  return `${settings.endpoint}/${encodeURIComponent(resource.type)}`;
}

/** Returns the `self` link of a resource: `<endpoint>/<type>/<id>`. Every id has a URL that no other id has. */
export function resourceUrl(resource: Resource, id: string | number, settings: RestSettings): string {
  return `${collectionUrl(resource, settings)}/${encodeURIComponent(segmentOfId(String(id)))}`;
}

/** Returns {@link resourceUrl} of a row: the `Location` of a created resource (CR-08). */
export function rowUrl(row: Row, resource: Resource, settings: RestSettings): string {
  return resourceUrl(resource, formatId(resource.identifier, row, settings.idDivider), settings);
}

/**
 * Returns the links of a relationship.
 *
 * @param self URL of the resource that has the relationship
 * @param path member name of the relationship, percent-encoded
 */
export function relationshipUrls(self: string, path: string): RelationshipLinks {
  return { self: `${self}/relationships/${path}`, related: `${self}/${path}` };
}

/** Returns {@link relationshipUrls} of the relationship that a request's path names. */
export function targetRelationshipUrls({ resource, id, relationship }: RelationshipTarget, settings: RestSettings): RelationshipLinks {
  return relationshipUrls(resourceUrl(resource, id.text, settings), encodeURIComponent(relationship.member));
}
