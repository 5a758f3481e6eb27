import { type Attribute, type Relationship, type Resource } from '../../model/resource-model.js';
import { linkageKey, readableMembers } from './readable-members.js';

/**
 * What a document shows of a resource, and of the resources that it leads to. The planner selects it and the renderer writes it:
 * both walk this one tree, so that each row holds what its resource object needs and nothing else.
 */
export type Shape = KeyShape | ResourceShape;

/** Its identity only: linkage to a resource that is not in the document. */
export interface KeyShape {
  readonly kind: 'key';
  readonly resource: Resource;
}

/** A resource object. */
export interface ResourceShape {
  readonly kind: 'resource';
  readonly resource: Resource;
  readonly attributes: readonly Attribute[];
  readonly relationships: readonly RelationshipShape[];
}

/** One relationship of a resource object. */
export interface RelationshipShape {
  readonly relationship: Relationship;
  /** Whether the resource object has an entry for it; a sparse fieldset may leave out one whose resources are included all the same. */
  readonly shown: boolean;
  /**
   * Where the linkage comes from: the row's own foreign key, the related row or rows, or nowhere (to-many that is not included:
   * its ids are never loaded unasked).
   */
  readonly linkage: 'foreign-key' | 'related' | 'none';
  /** What is loaded of the related resources; absent where nothing is. A {@link ResourceShape} is included in the document. */
  readonly related?: Shape;
}

/** Relationships to include, each with those to include of its resources. */
export type IncludeTree = ReadonlyMap<Relationship, IncludeTree>;

/** The members that sparse fieldsets leave, by resource; one that is not named keeps all. */
export type Fieldsets = ReadonlyMap<Resource, ReadonlySet<string>>;

/** No relationship is included. */
export const NOTHING_INCLUDED: IncludeTree = new Map();

/** No sparse fieldset was sent. */
export const ALL_FIELDS: Fieldsets = new Map();

/** The shape of a resource with what is included; one and the same object for the plain request, so that its select is built once. */
export function shapeOf(resource: Resource, include: IncludeTree = NOTHING_INCLUDED, fields: Fieldsets = ALL_FIELDS): ResourceShape {
  if (include.size > 0 || fields.size > 0) return buildShape(resource, include, fields);
  let shape = plainShapes.get(resource);
  if (!shape) {
    shape = buildShape(resource, include, fields);
    plainShapes.set(resource, shape);
  }
  return shape;
}

const plainShapes = new WeakMap<Resource, ResourceShape>();

function buildShape(resource: Resource, include: IncludeTree, fields: Fieldsets): ResourceShape {
  const members = readableMembers(resource);
  const fieldset = fields.get(resource);
  const isShown = ({ member }: { readonly member: string }): boolean => fieldset?.has(member) ?? true;
  const relationships = members.relationships.flatMap((relationship) => {
    const included = include.get(relationship);
    const shown = isShown(relationship);
    if (!shown && !included) return [];
    return [shapeRelationship(relationship, shown, included && shapeOf(relationship.target, included, fields))];
  });
  return { kind: 'resource', resource, attributes: members.attributes.filter(isShown), relationships };
}

function shapeRelationship(relationship: Relationship, shown: boolean, included: ResourceShape | undefined): RelationshipShape {
  const byKey = linkageKey(relationship) !== undefined;
  if (included) return { relationship, shown, linkage: byKey ? 'foreign-key' : 'related', related: included };
  if (relationship.many) return { relationship, shown, linkage: 'none' };
  if (byKey) return { relationship, shown, linkage: 'foreign-key' };
  return { relationship, shown, linkage: 'related', related: { kind: 'key', resource: relationship.target } };
}
