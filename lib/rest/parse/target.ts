/** Parts of a path, percent-decoded: `/:type`, `/:type/:id`, `/:type/:id/:relationship`. */

import type { Relationship, Resource } from '../../model/surface/surface.js';

export interface PathParameters {
  readonly type: string;
  /** As paths have it (`idOfSegment`). */
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
