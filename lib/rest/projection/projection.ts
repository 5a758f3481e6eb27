import type { Attribute, Relationship, Resource, UniqueKey } from '../../model/surface/surface.js';
import type { Selection } from '../../query/selection.js';
import type { ScalarText } from '../../wire/scalar-text.js';
import type { IdReader, KeyReader, LinkedIdReader } from './key-reader.js';
import type { PlannedWindow, Window } from './page.js';

/**
 * What a document shows of a resource, and of the resources that it leads to. The planner selects it and the renderer writes it:
 * both walk this one tree, so that each row holds what its resource object needs and nothing else.
 */
export type Projection = KeyProjection | ResourceProjection;

/** Its identity only: linkage to a resource that is not in the document. */
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
  /** Always the id; attributes, the foreign keys that are linkage, and what is included. */
  readonly selection: Selection;
  readonly text: ResourceText;
  readonly idOf: IdReader;
  /** The relationships whose resources are included. */
  readonly included: readonly ProjectedRelationship[];
  /** Whether a resource may be reached by two projections that lead on to different ones. */
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
  /** The key of its resource. */
  readonly key: UniqueKey;
  /** `"createdAt":`, and the same after a comma. */
  readonly first: string;
  readonly next: string;
  readonly textOf: ScalarText;
  /** What is noted of each value after the path of its resource, `.attributes.createdAt":["Date"]`; empty where JSON has the type. */
  readonly note: string;
}

/** One relationship of a resource object. */
export interface ProjectedRelationship {
  readonly relationship: Relationship;
  /** Whether the resource object has an entry for it; a sparse fieldset may leave out one whose resources are included all the same. */
  readonly shown: boolean;
  /**
   * Where the linkage comes from: the row's own foreign key, the related row or rows, or nowhere (to-many that is not included:
   * its ids are never loaded unasked).
   */
  readonly linkage: 'foreign-key' | 'related' | 'none';
  /** The id of the one related resource in a row. */
  readonly keyOf: KeyReader;
  /** The same as it is written. */
  readonly linkedIdOf: LinkedIdReader;
  /** The id of a related row. */
  readonly targetIdOf: IdReader;
  /** What is loaded of the related resources; absent where nothing is. A {@link ResourceProjection} is included in the document. */
  readonly related?: Projection;
  readonly text: RelationshipText;
  /** Present where not all members are shown, or in another order. */
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
  /** What stands between that id and the URL of the owner: `},"links":{"self":"https://api.example/post/` */
  readonly linkedLinks: string;
  /** `"author":{"data":null,"links":{"self":"https://api.example/post/` */
  readonly unlinked: string;
  /** `"author":{"links":{"self":"https://api.example/post/`, where nothing is said of what it leads to. */
  readonly links: string;
  /** What stands between and after the ids in `"links":{"self":"https://api.example/post/1/relationships/author",…}}`. */
  readonly between: string;
  readonly after: string;
}

/** How a document shows resources, as a query string says it. */
export interface View {
  readonly include: IncludeTree;
  readonly fields: Fieldsets;
  /** Of included relationships, by what is included below them. */
  readonly windows?: ReadonlyMap<IncludeTree, Window>;
}

/** Relationships to include, each with those to include of its resources. */
export type IncludeTree = ReadonlyMap<Relationship, IncludeTree>;

/** The members that sparse fieldsets leave, by resource; one that is not named keeps all. */
export type Fieldsets = ReadonlyMap<Resource, ReadonlySet<string>>;

/** Where projections come from: each is compiled once, and found again by what it shows. */
export interface ProjectionSource {
  /** A resource object as a view shows it. */
  of(resource: Resource, view: View): ResourceProjection;
  /** Identifiers. */
  keyOf(resource: Resource): KeyProjection;
  /** A resource object without members: of a resource that is closed to readers. */
  bareOf(resource: Resource): ResourceProjection;
}
