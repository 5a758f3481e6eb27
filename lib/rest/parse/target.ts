/** Parts of a path, percent-decoded: `/:type`, `/:type/:id`, `/:type/:id/:relationship`. */

import type { Relationship, Resource } from '../../model/surface/surface.js';

export interface PathParameters {
  readonly type: string;
  /** The id as a URL segment (`idOfSegment`). */
  readonly id?: string;
  /** Local id, in place of the id, of a resource that an earlier operation creates. */
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

/** The id of one record. */
export interface ResourceId {
  /** Values by Prisma's field names. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Text of the id in documents and links, not yet percent-encoded. For a resource without an id yet, its local id. */
  readonly text: string;
  /** Local id, present if an earlier operation creates the resource. `values` are then resolved when that operation has run. */
  readonly lid?: string;
}
