import { ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { cut, quote } from '../../errors/quote.js';
import type { Action, Relationship, Resource } from '../../model/surface/surface.js';
import { formatId, idOfSegment, parseId } from '../../model/values/resource-id.js';
import type { RestContext } from './rest-context.js';
import type { CollectionTarget, PathParameters, RelationshipTarget, ResourceId, ResourceTarget } from './target.js';
import type { LinkageIntent } from './write-intent.js';

/** Returns the name of a record in error texts: `id 5`. */
export function nameOfId({ text, lid }: ResourceId): string {
  return `${lid === undefined ? 'id' : 'lid'} ${cut(text)}`;
}

/**
 * Resolves the path of a collection.
 *
 * @throws ApiError `unsupported-model`, or `forbidden` if the action is not exposed on the resource
 */
export function parseCollectionTarget(action: Action, params: PathParameters, context: RestContext): CollectionTarget {
  const resource = findResource(params.type, context);
  requireAction(resource, action);
  return { kind: 'collection', resource };
}

/**
 * Resolves the path of one resource.
 *
 * @throws ApiError `unsupported-model`, `forbidden`, or `invalid-id` for a text that cannot be an id of the type
 */
export function parseResourceTarget(action: Action, params: PathParameters, context: RestContext): ResourceTarget {
  const { resource } = parseCollectionTarget(action, params, context);
  return { kind: 'resource', resource, id: readId(resource, params, context) };
}

/**
 * Resolves the path of a relationship (linkage) or of its related resources.
 *
 * @param kind which of the two URLs it is
 * @throws ApiError as {@link parseResourceTarget}; `unsupported-relationship`; `forbidden` for reading a relationship that callers may not
 *   read
 */
export function parseRelationshipTarget(
  action: Action,
  kind: RelationshipTarget['kind'],
  params: PathParameters,
  context: RestContext,
): RelationshipTarget {
  const { resource } = parseCollectionTarget(action, params, context);
  const relationship = findRelationship(resource, params.relationship ?? '');
  if (action === 'read' && !relationship.rights.read)
    throw new ApiError('forbidden', `The relationship '${relationship.member}' cannot be read here.`);
  return { kind, resource, id: readId(resource, params, context), relationship };
}

/**
 * Requires that an action is exposed on a resource.
 *
 * @throws ApiError `forbidden`, before any SQL
 */
export function requireAction(resource: Resource, action: Action): void {
  if (resource.actions.has(action)) return;
  throw new ApiError('forbidden', `${resource.type} cannot be ${PARTICIPLES[action]} here.`);
}

const PARTICIPLES: Readonly<Record<Action, string>> = { read: 'read', create: 'created', update: 'updated', delete: 'deleted' };

function findResource(type: string, { model }: RestContext): Resource {
  const resource = model.byType.get(type.toLowerCase());
  if (resource) return resource;
  const known = model.resources.map((one) => one.type);
  throw new ApiError('unsupported-model', `There is no resource type ${quote(type)}.${didYouMean(type, known)}`);
}

function findRelationship(resource: Resource, name: string): Relationship {
  const field = resource.members.get(name);
  if (field?.kind === 'relationship') return field;
  const known = resource.relationships.map(({ member }) => member);
  throw new ApiError('unsupported-relationship', `${resource.type} has no relationship ${quote(name)}.${didYouMean(name, known)}`);
}

function readId(resource: Resource, { id: text = '', lid }: PathParameters, { settings, localIds }: RestContext): ResourceId {
  if (lid !== undefined && localIds) return localIds.resolve(resource, lid);
  const id = resourceId(resource, idOfSegment(text), settings);
  if (id) return id;
  throw new ApiError('invalid-id', `This cannot be an id of ${resource.type}.`);
}

/** Parses the text of an id; undefined if it cannot be an id of the resource. */
export function resourceId({ identifier }: Resource, text: string, { idDivider }: RestContext['settings']): ResourceId | undefined {
  const values = parseId(identifier, text, idDivider);
  return values && { values, text: String(formatId(identifier, values, idDivider)) };
}

/**
 * Resolves the path of a relationship whose linkage is to be changed: `/:type/:id/relationships/:relationship`.
 *
 * @throws ApiError as `parseRelationshipTarget`; `forbidden` if the relationship cannot be updated, and for a change of a to-one
 *   relationship that is not a replacement (RE-11)
 */
export function parseLinkageTarget(change: LinkageIntent['kind'], params: PathParameters, context: RestContext): RelationshipTarget {
  const target = parseRelationshipTarget('update', 'relationship', params, context);
  const { member, rights, many } = target.relationship;
  if (!rights.update || !target.relationship.linkable.update)
    throw new ApiError('forbidden', `The relationship '${member}' cannot be changed here.`);
  if (many || change === 'replace') return target;
  throw new ApiError('forbidden', `'${member}' is to-one, which has no members to ${change}: replace it with PATCH.`);
}

/**
 * Resolves `PATCH /:type/:id/:relationship` of a to-one relationship, which replaces its linkage. One example of the specification does so.
 *
 * @throws ApiError as {@link parseLinkageTarget}; `invalid-verb` for a to-many relationship, and in strict mode
 */
export function parseRelatedLinkageTarget(params: PathParameters, context: RestContext): RelationshipTarget {
  const { relationship } = parseRelationshipTarget('update', 'related', params, context);
  if (!relationship.many && !context.settings.strict) return parseLinkageTarget('replace', params, context);
  const detail = `Change '${relationship.member}' at its own URL, which ends in /relationships/${relationship.member}.`;
  throw new ApiError('invalid-verb', detail, { headers: { Allow: 'GET, HEAD, QUERY' } });
}
