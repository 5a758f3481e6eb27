import { ApiError } from '../../errors/api-error.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { cut, quote } from '../../errors/quote.js';
import { formatId, parseId } from '../../model/values/resource-id.js';
import type { Action, Relationship, Resource } from '../../model/surface/surface.js';
import type { RestContext } from './rest-context.js';

/** Parts of a path, percent-decoded: `/:type`, `/:type/:id`, `/:type/:id/:relationship`. */
export interface PathParameters {
  readonly type: string;
  readonly id?: string;
  /** In place of the id, for a resource that an operation before creates. */
  readonly lid?: string;
  readonly relationship?: string;
}

/** `/:type` */
export interface CollectionTarget {
  readonly kind: 'collection';
  readonly resource: Resource;
}

/** `/:type/:id` */
export interface ResourceTarget {
  readonly kind: 'resource';
  readonly resource: Resource;
  readonly id: ResourceId;
}

/** `/:type/:id/:relationship` (`related`) and `/:type/:id/relationships/:relationship` (`relationship`). */
export interface RelationshipTarget {
  readonly kind: 'related' | 'relationship';
  /** The resource that has the relationship. */
  readonly resource: Resource;
  readonly id: ResourceId;
  readonly relationship: Relationship;
}

/** One record's id, as the URL has it. */
export interface ResourceId {
  /** Field values by Prisma's names. */
  readonly values: Readonly<Record<string, unknown>>;
  /** As documents and links write it, not yet percent-encoded; the lid of a resource that has no id yet. */
  readonly text: string;
  /** Present where an operation before creates the resource: its values are still to come. */
  readonly lid?: string;
}

/** What an error calls a resource by: `id 5`. */
export function nameOfId({ text, lid }: ResourceId): string {
  return `${lid === undefined ? 'id' : 'lid'} ${cut(text)}`;
}

/**
 * Reads the path of a collection.
 *
 * @throws ApiError `unsupported-model`, or `forbidden` where the resource is closed to the action
 */
export function parseCollectionTarget(action: Action, params: PathParameters, context: RestContext): CollectionTarget {
  const resource = findResource(params.type, context);
  requireAction(resource, action);
  return { kind: 'collection', resource };
}

/**
 * Reads the path of one resource.
 *
 * @throws ApiError `unsupported-model`, `forbidden`, or `invalid-id` for what cannot be an id of the type
 */
export function parseResourceTarget(action: Action, params: PathParameters, context: RestContext): ResourceTarget {
  const { resource } = parseCollectionTarget(action, params, context);
  return { kind: 'resource', resource, id: readId(resource, params, context) };
}

/**
 * Reads the path of a relationship or of what it relates to.
 *
 * @throws ApiError as {@link parseResourceTarget}; `unsupported-relationship`; `forbidden` for reading a relationship that is closed to readers
 */
export function parseRelationshipTarget(action: Action, path: RelationshipPath, context: RestContext): RelationshipTarget {
  const { resource } = parseCollectionTarget(action, path.params, context);
  const relationship = findRelationship(resource, path.params.relationship ?? '');
  if (action === 'read') requireReadable(relationship);
  return { kind: path.kind, resource, id: readId(resource, path.params, context), relationship };
}

/** Which of the two URLs of a relationship it is, and its parts. */
export interface RelationshipPath {
  readonly kind: RelationshipTarget['kind'];
  readonly params: PathParameters;
}

/** @throws ApiError `forbidden` where the resource is closed to the action; before any SQL (decisions, "Closed actions") */
export function requireAction(resource: Resource, action: Action): void {
  if (resource.actions.has(action)) return;
  throw new ApiError('forbidden', `${resource.type} cannot be ${PARTICIPLES[action]} here.`);
}

const PARTICIPLES: Readonly<Record<Action, string>> = { read: 'read', create: 'created', update: 'updated', delete: 'deleted' };

function findResource(type: string, { model }: RestContext): Resource {
  const resource = model.byType.get(type.toLowerCase());
  if (resource) return resource;
  const hint = didYouMean(
    type,
    model.resources.map((known) => known.type),
  );
  throw new ApiError('unsupported-model', `There is no resource type ${quote(type)}.${hint}`);
}

function findRelationship(resource: Resource, name: string): Relationship {
  const field = resource.members.get(name);
  if (field?.kind === 'relationship') return field;
  const hint = didYouMean(
    name,
    resource.relationships.map((known) => known.member),
  );
  throw new ApiError('unsupported-relationship', `${resource.type} has no relationship ${quote(name)}.${hint}`);
}

function requireReadable(relationship: Relationship): void {
  if (relationship.rights.read) return;
  throw new ApiError('forbidden', `The relationship '${relationship.member}' cannot be read here.`);
}

function readId(resource: Resource, { id: text = '', lid }: PathParameters, { settings, localIds }: RestContext): ResourceId {
  if (lid !== undefined && localIds) return localIds.resolve(resource, lid);
  const values = parseId(resource.identifier, text, settings.idDivider);
  if (!values) throw new ApiError('invalid-id', `This cannot be an id of ${resource.type}.`);
  return { values, text: String(formatId(resource.identifier, values, settings.idDivider)) };
}
