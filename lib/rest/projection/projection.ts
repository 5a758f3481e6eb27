import type { Attribute, Relationship, Resource, UniqueKey } from '../../model/surface/surface.js';
import type { Selection } from '../../query/selection.js';
import type { ScalarText } from '../../wire/scalar-text.js';
import type { IdReader, KeyReader, LinkedIdReader } from './key-reader.js';
import type { PlannedWindow, Window } from './page.js';

/**
 * The members of a resource, and of its related resources, that a document contains.
 *
 * The planner builds the selection from this tree, and the renderer writes the document from it. So each row holds exactly what its
 * resource object needs.
 */
export type Projection = KeyProjection | ResourceProjection;

/** The identifier of a resource: linkage to a resource that is not in the document. */
export interface KeyProjection {
  readonly kind: 'key';
  readonly resource: Resource;
  readonly selection: Selection;
  readonly text: Pick<ResourceText, 'open'>;
  readonly idOf: IdReader;
}

/** A resource object. */
export interface ResourceProjection {
  readonly kind: 'resource';
  readonly resource: Resource;
  readonly attributes: readonly ProjectedAttribute[];
  readonly relationships: readonly ProjectedRelationship[];
  /** The fields to read: the id always; the attributes, the foreign keys that provide linkage, and the included resources. */
  readonly selection: Selection;
  readonly text: ResourceText;
  readonly idOf: IdReader;
  /** The relationships whose resources are included. */
  readonly included: readonly ProjectedRelationship[];
  /** Whether the same resource can occur in the document under two different projections. */
  readonly isMixed: boolean;
}

/** The constant parts of the JSON text of a resource object. */
export interface ResourceText {
  /** `{"type":"post","id":` */
  readonly open: string;
  /** `,"links":{"self":"https://api.example/post/` */
  readonly self: string;
}

/** One attribute of a resource object. */
export interface ProjectedAttribute {
  readonly attribute: Attribute;
  /** The id of the resource, for error messages that name the row. */
  readonly key: UniqueKey;
  /** `"createdAt":`, and the same after a comma. */
  readonly first: string;
  readonly next: string;
  readonly textOf: ScalarText;
  /**
   * Entry of `meta.serialization` for each value, without the path of its resource: `.attributes.createdAt":["Date"]`. Empty if JSON has
   * the type.
   */
  readonly note: string;
}

/** One relationship of a resource object. */
export interface ProjectedRelationship {
  readonly relationship: Relationship;
  /** Whether the resource object has a member for it. A sparse fieldset can omit a relationship whose resources are included. */
  readonly shown: boolean;
  /**
   * Source of the linkage: the row's foreign key, the related rows, or none. A to-many relationship that is not included has none, because
   * its ids are not loaded.
   */
  readonly linkage: 'foreign-key' | 'related' | 'none';
  /** Reads the id fields of the to-one related resource. */
  readonly keyOf: KeyReader;
  /** Reads the id of the to-one related resource, as the document contains it. */
  readonly linkedIdOf: LinkedIdReader;
  /** Reads the id of a related row. */
  readonly targetIdOf: IdReader;
  /** Projection of the related resources; absent if none are loaded. The resources of a {@link ResourceProjection} are included in the document. */
  readonly related?: Projection;
  readonly text: RelationshipText;
  /** Present if the document contains only some of the related resources, or contains them in another order. */
  readonly window?: PlannedWindow;
}

/** The constant parts of the JSON text of a relationship. */
export interface RelationshipText {
  /** `"author":{` */
  readonly open: string;
  /** `"author":{"data":` */
  readonly data: string;
  /** `{"type":"user","id":` */
  readonly identifier: string;
  /** `"author":{"data":{"type":"user","id":` */
  readonly linked: string;
  /** Text between that id and the id in the URL of the owner: `},"links":{"self":"https://api.example/post/` */
  readonly linkedLinks: string;
  /** `"author":{"data":null,"links":{"self":"https://api.example/post/` */
  readonly unlinked: string;
  /** `"author":{"links":{"self":"https://api.example/post/`, without linkage */
  readonly links: string;
  /** Texts after the first and after the second id in `"links":{"self":"https://api.example/post/1/relationships/author",…}}`. */
  readonly between: string;
  readonly after: string;
}

/** The parts of a query string that determine what a document contains. */
export interface View {
  readonly include: IncludeTree;
  readonly fields: Fieldsets;
  /** Windows of included relationships, by the subtree of `include` below each. */
  readonly windows?: ReadonlyMap<IncludeTree, Window>;
}

/** Included relationships, each with the relationships that are included of its resources. */
export type IncludeTree = ReadonlyMap<Relationship, IncludeTree>;

/** The members of sparse fieldsets, by resource. A resource without an entry keeps all members. */
export type Fieldsets = ReadonlyMap<Resource, ReadonlySet<string>>;

/** A cache of projections. Each projection is compiled once. */
export interface ProjectionSource {
  /** Returns the projection of resource objects for a view. */
  of(resource: Resource, view: View): ResourceProjection;
  /** Returns the projection of identifiers. */
  keyOf(resource: Resource): KeyProjection;
  /** Returns the projection of resource objects without attributes and relationships, for a resource that callers may not read. */
  bareOf(resource: Resource): ResourceProjection;
}
