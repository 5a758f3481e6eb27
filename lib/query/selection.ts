import type { StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { Condition, KeyCondition } from './condition.js';
import type { Order } from './order.js';
import { memoizeByObject } from '../utils/memoize-by-object.js';

/** The members that a query reads of each row, in the order of the result. */
export interface Selection {
  readonly kind: 'selection';
  readonly model: StoredModel;
  readonly members: readonly Member[];
}

export type Member = FieldMember | ComputedMember | OneMember | ManyMember | CountsMember;

export interface FieldMember {
  readonly kind: 'field';
  readonly field: StoredField;
}

/** A field that the data client computes. The database has no column for it. */
export interface ComputedMember {
  readonly kind: 'computed';
  readonly name: string;
}

/** The related row of a to-one relation, or null. */
export interface OneMember {
  readonly kind: 'one';
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  /** The related row is null if it does not meet this condition. Prisma supports the condition for optional relations only. */
  readonly where: Condition;
  readonly selection: Selection;
  /** Whether the row is read for linkage or for a cursor, and not as a resource. The limits do not count such a row. */
  readonly isLinkage: boolean;
}

/** The rows of a to-many relation, or a page of them. */
export interface ManyMember {
  readonly kind: 'many';
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  readonly where: Condition;
  readonly order: Order;
  readonly page: Page;
  readonly selection: Selection;
  /** Whether the page applies to each parent row separately. The Prisma executor reads such a page with one query for each parent row. */
  readonly isWindow?: boolean;
}

/** The numbers of related rows (`_count`). */
export interface CountsMember {
  readonly kind: 'counts';
  readonly counts: readonly RelatedCount[];
}

export interface RelatedCount {
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  readonly where: Condition;
}

/** Whether a member is a page that applies to each parent row separately. */
export function isWindow(member: Member): member is ManyMember {
  return member.kind === 'many' && member.isWindow === true;
}

/** A member that reads related rows. */
export type RelatedMember = OneMember | ManyMember;

/** Returns the relations of a selection whose rows are read as resources. Members for linkage or a cursor are left out (`isLinkage`). */
export const relatedMembers: (selection: Selection) => readonly RelatedMember[] = memoizeByObject(({ members }) =>
  members.flatMap((member) => (member.kind === 'many' || (member.kind === 'one' && !member.isLinkage) ? [member] : [])),
);

/** Returns the name of a member in a row of the result. */
export function nameOf(member: Member): string {
  switch (member.kind) {
    case 'field':
      return member.field.name;
    case 'computed':
      return member.name;
    case 'one':
    case 'many':
      return member.relation.name;
    case 'counts':
      return RELATED_COUNT;
  }
}

/** The name of the numbers of related rows in a row of the result. */
export const RELATED_COUNT = '_count';

/** The part of the matching rows that a query reads. */
export interface Page {
  /** The key of the row that the page begins at. */
  readonly cursor?: readonly KeyCondition[];
  /** A condition on the cursor row. The page is empty if the row does not meet it. Only the SQL compiler supports it. */
  readonly cursorRow?: Condition;
  /** The number of rows. A negative number counts from the end. */
  readonly take?: number;
  readonly skip?: number;
  /** Fields of which the page has each combination of values once, in its first row. */
  readonly distinct?: readonly StoredField[];
}

export const WHOLE: Page = Object.freeze({});

/** Prisma's `relationLoadStrategy`, for data clients that let the caller choose it. */
export type LoadStrategy = 'join' | 'query';
