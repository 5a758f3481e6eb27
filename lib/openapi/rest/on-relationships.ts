import type { Relationship } from '../../model/surface/surface.js';
import type { RestOperationName } from '../../rest/rest-endpoints.js';
import type { RestSettings } from '../../rest/rest-settings.js';

type Offer = (relationship: Relationship, settings: RestSettings) => boolean;

const isReadable: Offer = ({ rights }) => rights.read;
const isWritable: Offer = (relationship) => relationship.rights.update && relationship.linkable.update;
const hasMembers: Offer = (relationship, settings) => relationship.many && isWritable(relationship, settings);

/** For endpoints that only some relationships have: whether a relationship has it. */
export const ON_RELATIONSHIPS: Readonly<Partial<Record<RestOperationName, Offer>>> = {
  fetchRelated: isReadable,
  fetchRelationship: isReadable,
  addToRelationship: hasMembers,
  removeFromRelationship: hasMembers,
  replaceRelationship: isWritable,
  replaceRelated: (relationship, settings) => !relationship.many && !settings.strict && isWritable(relationship, settings),
};

/** @throws TypeError for an endpoint of the table that has none in its path */
export function requireRelationship(relationship: Relationship | undefined): Relationship {
  if (!relationship) throw new TypeError('This endpoint has a relationship in its path.');
  return relationship;
}
