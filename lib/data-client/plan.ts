import { type Problem, type ProblemSource } from '../errors/api-error.js';

/**
 * All that a request asks of the data client, as one complete and printable value.
 *
 * `call`: one operation · `collection`: the rows of a page and, unless the count is off, their total · `transaction`: several
 * operations, all or nothing, in order.
 */
export type Plan = CallPlan | CollectionPlan | TransactionPlan;

export interface CallPlan {
  readonly kind: 'call';
  readonly call: DataCall;
  /** Whether the call is undone where its rows do not hold what they must: a write with an expectation. */
  readonly undo?: true;
}

export interface CollectionPlan {
  readonly kind: 'collection';
  readonly rows: DataCall;
  /** A `count` with the same `where`; absent where the total is not asked for. */
  readonly total?: DataCall;
}

export interface TransactionPlan {
  readonly kind: 'transaction';
  readonly calls: readonly DataCall[];
}

/** One operation of one delegate with its final arguments. */
export interface DataCall {
  /** Property of the client, e.g. `post`. */
  readonly delegate: string;
  /** Method of the delegate, e.g. `findMany`. */
  readonly operation: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What its rows must hold, or else it fails, and with it the transaction that it is part of. */
  readonly expect?: Expectation;
}

/** What the rows of a call must hold; otherwise nothing of the plan is written. */
export type Expectation = AllFound | NoneFound | AtMost | RelatedAtMost;

/**
 * Every wanted record must be among the rows that a call returned; one that is not becomes a `not-found` problem at its place.
 * This is how linkage to records that do not exist, or that the caller may not see, is refused before anything is written.
 */
export interface AllFound {
  readonly kind: 'all-found';
  readonly wanted: readonly WantedRecord[];
}

/** No row may be there: how a link is kept that a record cannot be without. */
export interface NoneFound {
  readonly kind: 'none-found';
  /** What a row means. */
  readonly problem: Problem;
}

/** No more rows than these: how a result that nothing else limits is refused rather than cut (`limits.maxTake`). */
export interface AtMost {
  readonly kind: 'at-most';
  readonly rows: number;
  /** Relations whose lists, all rows together, may hold as many again and no more. */
  readonly lists?: RelatedRows;
  /** What a further row means. */
  readonly problem: Problem;
}

/**
 * No more rows than these may come along with the one row of a call: how a write whose answer is refused is not written for good.
 */
export interface RelatedAtMost {
  readonly kind: 'related-at-most';
  readonly related: RelatedRows;
  readonly rows: number;
  /** What a further row means. */
  readonly problem: Problem;
}

/** The relations of a row whose rows count, by Prisma's names, each with those of its rows. */
export interface RelatedRows {
  readonly [relation: string]: RelatedRows;
}

export interface WantedRecord {
  /** Field values that identify the record, compared with the rows' own; Date, bigint, Decimal and bytes by value. */
  readonly key: Readonly<Record<string, unknown>>;
  /** One sentence for the error, e.g. `There is no tag with id 7.` */
  readonly detail: string;
  readonly source?: ProblemSource;
}

/** What {@link Plan} yields, by its kind. */
export interface PlanResults {
  readonly call: unknown;
  readonly collection: { readonly rows: readonly unknown[]; readonly total: number | undefined };
  readonly transaction: readonly unknown[];
}
