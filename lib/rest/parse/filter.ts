import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import type { FilterOperator } from './filter-operators.js';

/** What the rows of a collection must be like. */
export type Filter = GroupFilter | AttributeFilter | KeyFilter | RelationFilter | PresenceFilter;

/** All, or any, of several conditions. */
export interface GroupFilter {
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
