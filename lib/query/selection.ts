import type { StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import type { Condition, KeyCondition } from './condition.js';
import type { Order } from './order.js';

/** What is read of each row, in the order of the result. */
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

/** A field that the data client computes: the database does not know it. */
export interface ComputedMember {
  readonly kind: 'computed';
  readonly name: string;
}

/** The row that a to-one relation leads to, or null. */
export interface OneMember {
  readonly kind: 'one';
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  /** A row that does not meet it counts as none. Prisma takes a condition of optional relations alone. */
  readonly where: Condition;
  readonly selection: Selection;
  /** Whether it only says which row is referred to: then it is no row that limits count. */
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
  /** Whether the page is read for each row by itself, where no statement reads the pages of several rows. */
  readonly isWindow?: boolean;
}

/** Numbers of related rows (`_count`). */
export interface CountsMember {
  readonly kind: 'counts';
  readonly counts: readonly RelatedCount[];
}

export interface RelatedCount {
  readonly relation: StoredRelation;
  readonly target: StoredModel;
  readonly where: Condition;
}

/** Whether a member is a page of a list that each row has of its own. */
export function isWindow(member: Member): member is ManyMember {
  return member.kind === 'many' && member.isWindow === true;
}

/** The rows of a relation that are read with a row. */
export type RelatedMember = OneMember | ManyMember;

/** The relations of a selection whose rows come along with a row. One that only says which row is referred to is not among them. */
export function relatedMembers(selection: Selection): readonly RelatedMember[] {
  let related = RELATED.get(selection);
  if (!related) {
    related = selection.members.flatMap((member) =>
      member.kind === 'many' || (member.kind === 'one' && !member.isLinkage) ? [member] : [],
    );
    RELATED.set(selection, related);
  }
  return related;
}

const RELATED = new WeakMap<Selection, readonly RelatedMember[]>();

/** What a member is called in a row. */
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

/** What the numbers of related rows are called in a row. */
export const RELATED_COUNT = '_count';

/** Which of the rows that meet a condition are read. */
export interface Page {
  /** The row that the page begins at. */
  readonly cursor?: readonly KeyCondition[];
  /** The condition that this row must meet; if it does not, the page is empty. SQL alone can compile it. */
  readonly cursorRow?: Condition;
  /** How many rows: with a minus from the back. */
  readonly take?: number;
  readonly skip?: number;
  /** Only the first row of each combination of their values. */
  readonly distinct?: readonly StoredField[];
}

export const WHOLE: Page = Object.freeze({});

/** `join` or `query`, for data clients that leave it to the caller. */
export type LoadStrategy = 'join' | 'query';
