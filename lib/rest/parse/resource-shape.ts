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

/** How a document shows resources. */
export interface View {
  readonly include: IncludeTree;
  readonly fields: Fieldsets;
  /** JSON:API to the letter: no foreign keys among the attributes. */
  readonly strict: boolean;
}

/** The shape of a resource in a view; one and the same object for the plain view, so that its select is built once. */
export function shapeOf(resource: Resource, view: View): ResourceShape {
  if (view.include.size > 0 || view.fields.size > 0) return buildShape(resource, view);
  const cache = view.strict ? strictShapes : plainShapes;
  const known = cache.get(resource);
  if (known) return known;
  const shape = buildShape(resource, view);
  cache.set(resource, shape);
  return shape;
}

const plainShapes = new WeakMap<Resource, ResourceShape>();
const strictShapes = new WeakMap<Resource, ResourceShape>();

function buildShape(resource: Resource, view: View): ResourceShape {
  const members = readableMembers(resource, view.strict);
  const fieldset = view.fields.get(resource);
  const isShown = ({ member }: { readonly member: string }): boolean => fieldset?.has(member) ?? true;
  const relationships = members.relationships.flatMap((relationship) => {
    const include = view.include.get(relationship);
    const shown = isShown(relationship);
    if (!shown && !include) return [];
    return [shapeRelationship(relationship, shown, include && shapeOf(relationship.target, { ...view, include }))];
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
