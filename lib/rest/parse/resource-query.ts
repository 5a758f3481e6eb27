import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import type { RequestedPage } from '../projection/page.js';
import type { Projection } from '../projection/projection.js';
import type { FilterOperator } from './filter-operators.js';
import type { CollectionTarget, RelationshipTarget, ResourceTarget } from './target.js';

/** A parsed query string with its URL. */
export type ResourceQuery<Target extends QueryTarget = QueryTarget> = SingleQuery<Target> | CollectionQuery<Target>;

/** The query of a document with one resource, one identifier, or null. */
export interface SingleQuery<Target extends QueryTarget = QueryTarget> extends QueryBase<Target> {
  readonly kind: 'single';
}

/** The query of a document with a page of a collection. */
export interface CollectionQuery<Target extends QueryTarget = QueryTarget> extends QueryBase<Target> {
  readonly kind: 'collection';
  /** Absent if no filter applies. */
  readonly filter?: Filter;
  readonly sort: readonly SortKey[];
  readonly page: RequestedPage;
}

interface QueryBase<Target> {
  /** The URL of the request. */
  readonly target: Target;
  /** The resource of the primary data. At the URLs of a relationship it is the related resource. */
  readonly resource: Resource;
  /** The members that are read of each resource in the primary data. The kind `key` means identifiers whose resources are not included. */
  readonly projection: Projection;
  /** Whether the request has `include`. The document then has `included`, even if it is empty (IN-02). */
  readonly compound: boolean;
  /** Whether the document has a page between cursors: of the primary data, or of an included relationship. */
  readonly hasCursors: boolean;
  /** All parameters of the request, decoded and in order, for the links of the response. */
  readonly parameters: readonly QueryParameter[];
}

/** A URL whose response is a document. */
export type QueryTarget = CollectionTarget | SingleTarget | RelationshipTarget;

/** The URL of one resource, without its id: queries do not depend on it, and a create has none. */
export type SingleTarget = Pick<ResourceTarget, 'kind' | 'resource'>;

/** Name and value of a query parameter, decoded. */
export type QueryParameter = readonly [name: string, value: string];

/** One key of a sort order. */
export type SortKey = AttributeSortKey | CountSortKey;

interface AttributeSortKey {
  readonly kind: 'attribute';
  /** The to-one relationships that lead to the resource of the attribute. */
  readonly path: readonly Relationship[];
  readonly attribute: Attribute;
  readonly direction: 'asc' | 'desc';
}

/** Sorts by the number of related resources. */
interface CountSortKey {
  readonly kind: 'count';
  readonly path: readonly Relationship[];
  readonly relationship: Relationship;
  readonly direction: 'asc' | 'desc';
}

/** A condition on the resources of a collection. */
export type Filter = GroupFilter | AttributeFilter | KeyFilter | RelationFilter | PresenceFilter;

/** A conjunction (`all`) or disjunction (`any`) of filters. */
interface GroupFilter {
  readonly kind: 'all' | 'any';
  readonly filters: readonly Filter[];
}

/** Compares a field with values that are already of its type. */
export interface AttributeFilter {
  readonly kind: 'attribute';
  readonly attribute: Attribute;
  readonly operator: FilterOperator;
  /** Several values match if any of them does; for a negated operator, if none does. Operators that take a list, a range or a flag differ. */
  readonly values: readonly unknown[];
}

/** Compares the resource's id with a list of ids. Each id has values by Prisma's field names. */
export interface KeyFilter {
  readonly kind: 'key';
  readonly resource: Resource;
  readonly ids: readonly Readonly<Record<string, unknown>>[];
  readonly negated: boolean;
}

/**
 * A condition on related resources. For to-one, `one` requires that the related resource matches; `notOne`, that it does not match or is
 * missing. For to-many, `some`, `every` or `none` of the related resources match.
 */
export interface RelationFilter {
  readonly kind: 'relation';
  readonly relationship: Relationship;
  readonly match: 'one' | 'notOne' | 'some' | 'every' | 'none';
  readonly filter: Filter;
}

/** Whether a related resource exists. */
export interface PresenceFilter {
  readonly kind: 'presence';
  readonly relationship: Relationship;
  readonly present: boolean;
}
