import type { Attribute, Relationship, Resource, UniqueKey } from '../../model/surface/surface.js';
import type { RelationshipTarget, ResourceId } from './target.js';

/** A parsed write request. Values are already of their field's type, as Prisma accepts them. */
export type WriteIntent = CreateIntent | UpsertIntent | UpdateIntent | DeleteIntent | LinkageIntent;

/** Returns the resource that is written. */
export function resourceOf(intent: WriteIntent): Resource {
  return 'target' in intent ? intent.target.resource : intent.resource;
}

/** The write of a resource document: `POST /:type`, `PATCH /:type/:id`. */
export type ResourceIntent = CreateIntent | UpsertIntent | UpdateIntent;

export interface CreateIntent {
  readonly kind: 'create';
  readonly resource: Resource;
  readonly content: ResourceContent;
}

/** Updates the record that has the same values in the fields of `match`, or creates one. */
export interface UpsertIntent {
  readonly kind: 'upsert';
  readonly resource: Resource;
  readonly match: UniqueKey;
  /** Content of a record that is created. */
  readonly content: ResourceContent;
  /** Content of the update of an existing record, if a validator of the application made it differ. */
  readonly changes?: ResourceContent;
}

/** Updates the given members of a record; all others keep their values. */
export interface UpdateIntent {
  readonly kind: 'update';
  readonly resource: Resource;
  readonly id: ResourceId;
  readonly content: ResourceContent;
}

export interface DeleteIntent {
  readonly kind: 'delete';
  readonly resource: Resource;
  readonly id: ResourceId;
}

/** Changes one relationship: adds or removes members, or replaces its linkage as a whole. */
export interface LinkageIntent {
  readonly kind: 'add' | 'replace' | 'remove';
  readonly target: RelationshipTarget;
  readonly linkage: Linkage;
}

/** The given members of a resource object. */
export interface ResourceContent {
  /** Each attribute at most once. */
  readonly attributes: readonly AttributeValue[];
  readonly linkages: readonly Linkage[];
}

/** Returns the values of attributes, by the names of their fields. */
export function attributeValues({ attributes }: Pick<ResourceContent, 'attributes'>): ReadonlyMap<string, unknown> {
  return new Map(attributes.map(({ attribute, value }) => [attribute.name, value]));
}

export interface AttributeValue {
  readonly attribute: Attribute;
  readonly value: unknown;
  /** JSON pointer in the body. */
  readonly pointer: string;
}

/**
 * The records that a relationship is set to, or that are added or removed. To-one has one record, or none for null; to-many has each record
 * once.
 */
export interface Linkage {
  readonly relationship: Relationship;
  readonly records: readonly LinkedRecord[];
  /** JSON pointer to its data in the body. */
  readonly pointer: string;
}

/** A record that a resource identifier object names. */
export interface LinkedRecord {
  readonly id: ResourceId;
  /** JSON pointer to the identifier in the body. */
  readonly pointer: string;
}

/** Whether an update changes nothing beyond its document (UP-07): the resource has no version, no `@updatedAt` field and no computed field. */
export function changesAsAsked({ attributes, version }: Resource): boolean {
  return version === undefined && attributes.every(({ updatedAt, computed }) => updatedAt !== true && computed !== true);
}

/** Returns the names of the fields that an upsert never changes: those of its match key, the id and the primary key. */
export function fixedFields({ identifier, attributes }: Resource, match: UniqueKey): ReadonlySet<string> {
  const primaryKey = attributes.filter((attribute) => attribute.primaryKey !== 'no');
  return new Set([...match.fields, ...identifier.fields, ...primaryKey].map(({ name }) => name));
}

/**
 * Returns the part of an upsert's content that updates an existing record. Because a record keeps its identity, an id in the document is
 * left out.
 */
export function upsertChanges({ resource, match }: Pick<UpsertIntent, 'resource' | 'match'>, content: ResourceContent): ResourceContent {
  const fixed = fixedFields(resource, match);
  return { ...content, attributes: content.attributes.filter(({ attribute }) => !fixed.has(attribute.name)) };
}
