import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import type { Page } from '../projection/page.js';
import type { Projection } from '../projection/projection.js';
import type { FilterOperator } from './filter-operators.js';
import type { CollectionTarget, RelationshipTarget, ResourceTarget } from './target.js';

/** What a query string means at its URL. */
export type ResourceQuery<Target extends QueryTarget = QueryTarget> = SingleQuery<Target> | CollectionQuery<Target>;

/** A document with one resource, one identifier, or null. */
export interface SingleQuery<Target extends QueryTarget = QueryTarget> extends QueryBase<Target> {
  readonly kind: 'single';
}

/** A document with a page of a collection. */
export interface CollectionQuery<Target extends QueryTarget = QueryTarget> extends QueryBase<Target> {
  readonly kind: 'collection';
  /** Absent where every row will do. */
  readonly filter?: Filter;
  readonly sort: readonly SortKey[];
  readonly page: Page;
}

interface QueryBase<Target> {
  /** Where it was asked. */
  readonly target: Target;
  /** The resource of the primary data: the related one at the URLs of a relationship. */
  readonly resource: Resource;
  /** What is read of each resource in the primary data. Of a `key`: identifiers whose resources are not included. */
  readonly projection: Projection;
  /** Whether `include` was sent: then the document has `included`, be it empty (IN-02). */
  readonly compound: boolean;
  /** Whether a page between cursors is in the document: of the primary data, or of an included relationship. */
  readonly hasCursors: boolean;
  /** Every parameter as it was sent, decoded and in order, for the links of the response. */
  readonly parameters: readonly QueryParameter[];
}

/** A URL that answers with a document. */
export type QueryTarget = CollectionTarget | SingleTarget | RelationshipTarget;

/** A resource; which one plays no part in what its query means, and a create has no id yet. */
export type SingleTarget = Pick<ResourceTarget, 'kind' | 'resource'>;

/** Name and value of a query parameter, decoded. */
export type QueryParameter = readonly [name: string, value: string];

/** One key of an order. */
export type SortKey = AttributeSortKey | CountSortKey;

interface AttributeSortKey {
  readonly kind: 'attribute';
  /** The to-one relationships that lead to the resource that has the attribute. */
  readonly path: readonly Relationship[];
  readonly attribute: Attribute;
  readonly direction: 'asc' | 'desc';
}

/** By the number of related resources. */
interface CountSortKey {
  readonly kind: 'count';
  readonly path: readonly Relationship[];
  readonly relationship: Relationship;
  readonly direction: 'asc' | 'desc';
}

/** What the rows of a collection must be like. */
export type Filter = GroupFilter | AttributeFilter | KeyFilter | RelationFilter | PresenceFilter;

/** All, or any, of several conditions. */
interface GroupFilter {
  readonly kind: 'all' | 'any';
  readonly filters: readonly Filter[];
}

/** A field compared with values that are already of its type. */
export interface AttributeFilter {
  readonly kind: 'attribute';
  readonly attribute: Attribute;
  readonly operator: FilterOperator;
  /** Several mean any of them (none of them, for a negation), except where the operator takes a list, a range or yes/no. */
  readonly values: readonly unknown[];
}

/** The resource's id is, or is not, among these; each by Prisma's field names. */
export interface KeyFilter {
  readonly kind: 'key';
  readonly resource: Resource;
  readonly ids: readonly Readonly<Record<string, unknown>>[];
  readonly negated: boolean;
}

/** A condition on related resources: on the one (or that it is another or none), or on some, every or none of the many. */
export interface RelationFilter {
  readonly kind: 'relation';
  readonly relationship: Relationship;
  readonly match: 'one' | 'notOne' | 'some' | 'every' | 'none';
  readonly filter: Filter;
}

/** Whether there is any related resource. */
export interface PresenceFilter {
  readonly kind: 'presence';
  readonly relationship: Relationship;
  readonly present: boolean;
}
