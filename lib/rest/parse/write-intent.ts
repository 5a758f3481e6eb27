import type { Attribute, Relationship, Resource, UniqueKey } from '../../model/surface/surface.js';
import type { RelationshipTarget, ResourceId } from './target.js';

/** What a request wants written. Values are already of their field's type, as the data client takes them. */
export type WriteIntent = CreateIntent | UpsertIntent | UpdateIntent | DeleteIntent | LinkageIntent;

/** The resource that is written. */
export function resourceOf(intent: WriteIntent): Resource {
  return 'target' in intent ? intent.target.resource : intent.resource;
}

/** What a resource document says: `POST /:type`, `PATCH /:type/:id`. */
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
  /** What a record that is created gets. */
  readonly content: ResourceContent;
  /** What one that exists gets, where a validator of the host made that differ. */
  readonly changes?: ResourceContent;
}

/** Changes what is given; all else keeps its value. */
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

/** Changes one relationship: members are added or removed, or its linkage is replaced as a whole. */
export interface LinkageIntent {
  readonly kind: 'add' | 'replace' | 'remove';
  readonly target: RelationshipTarget;
  readonly linkage: Linkage;
}

/** The given members of a resource object. */
export interface ResourceContent {
  /** Each attribute once. */
  readonly attributes: readonly AttributeValue[];
  readonly linkages: readonly Linkage[];
}

/** The values of attributes, by the names of their fields. */
export function attributeValues({ attributes }: Pick<ResourceContent, 'attributes'>): ReadonlyMap<string, unknown> {
  return new Map(attributes.map(({ attribute, value }) => [attribute.name, value]));
}

export interface AttributeValue {
  readonly attribute: Attribute;
  readonly value: unknown;
  /** Its place in the body. */
  readonly pointer: string;
}

/** What a relationship is to point at: for to-one one record, or none for null; for to-many any number, each once. */
export interface Linkage {
  readonly relationship: Relationship;
  readonly records: readonly LinkedRecord[];
  /** The place of its data in the body. */
  readonly pointer: string;
}

/** An existing record that a resource identifier object names. */
export interface LinkedRecord {
  readonly id: ResourceId;
  /** The place of the identifier in the body. */
  readonly pointer: string;
}

/** Whether an update changes nothing that it does not say (UP-07): nothing is filled in, counted or computed at every write. */
export function changesAsAsked({ attributes, version }: Resource): boolean {
  return version === undefined && attributes.every(({ updatedAt, computed }) => updatedAt !== true && computed !== true);
}

/** The names of the fields that an upsert never changes: those that it matches by, the id in REST and the primary key. */
export function fixedFields({ identifier, attributes }: Resource, match: UniqueKey): ReadonlySet<string> {
  const primaryKey = attributes.filter((attribute) => attribute.primaryKey !== 'no');
  return new Set([...match.fields, ...identifier.fields, ...primaryKey].map(({ name }) => name));
}

/** What an upsert changes of the record that it finds. A record keeps its identity, whatever id the document proposes. */
export function upsertChanges({ resource, match }: Pick<UpsertIntent, 'resource' | 'match'>, content: ResourceContent): ResourceContent {
  const fixed = fixedFields(resource, match);
  return { ...content, attributes: content.attributes.filter(({ attribute }) => !fixed.has(attribute.name)) };
}
