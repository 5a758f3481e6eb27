import type { Problem, ProblemSource } from '../errors/api-error.js';

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
  /** What the limited rows of all calls together must hold to. */
  readonly limit?: Pick<AtMost, 'rows' | 'problem'>;
}

/** One operation of one delegate with its final arguments. */
export interface DataCall {
  /** Property of the client, e.g. `post`. */
  readonly delegate: string;
  /** Method of the delegate, e.g. `findMany`. */
  readonly operation: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What is looked at first, in the same transaction; only where all of it holds is the call made. */
  readonly before?: readonly DataCall[];
  /** What its rows must hold, or else it fails, and with it the transaction that it is part of. */
  readonly expect?: Expectation;
  /** The columns that it writes of keys whose records an earlier call may find under another spelling; it then writes them as stored. */
  readonly foreignKeys?: readonly WrittenKey[];
}

/** What the rows of a call must hold; otherwise nothing of the plan is written. */
export type Expectation = AllFound | NoneFound | AtMost;

/**
 * Every wanted record must be among the rows that a call returned; one that is not becomes a `not-found` problem at its place.
 * This is how linkage to records that do not exist, or that the caller may not see, is refused before anything is written.
 */
export interface AllFound {
  readonly kind: 'all-found';
  readonly wanted: readonly WantedRecord[];
  /** Whether the database takes other spellings of a key for the same: what no row equals may still be there. */
  readonly otherSpellings?: true;
}

/** No row may be there: how a link is kept that a record cannot be without. */
export interface NoneFound {
  readonly kind: 'none-found';
  /** What a row means. */
  readonly problem: Problem;
}

/** No more rows than these, and no more that come along with them: how a result is refused rather than cut (`limits.maxTake`). */
export interface AtMost {
  readonly kind: 'at-most';
  readonly rows: number;
  /** Relations whose rows, those of all rows together, may be as many again and no more. */
  readonly relations?: readonly RelatedRelation[];
  /** The most rows of one list, where the database is asked for one more than these: a longer one is cut. */
  readonly list?: number;
  /** Given where far more than that could be loaded: then this is looked into before. */
  readonly probe?: Probe;
  /** What a further row means. */
  readonly problem: Problem;
}

/** How a call's rows are looked at before they are loaded. */
export interface Probe {
  /** A unique key of theirs. */
  readonly key: UniqueKey;
}

/** A unique key, by Prisma's names. */
export interface UniqueKey {
  /** Its name in a `where`. */
  readonly name: string;
  readonly fields: readonly string[];
}

/** A relation whose rows come along with a row, by Prisma's names. */
export interface RelatedRelation {
  readonly name: string;
  readonly many: boolean;
  /** Its own arguments, beside what is selected of its rows. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The side that has it, and the fields that tell its rows apart. */
  readonly owner: Side;
  readonly target: Side;
  /** On the target, where that holds the key: its fields and those of the owner that they refer to. */
  readonly foreignKey?: { readonly fields: readonly string[]; readonly references: readonly string[] };
  /** The way back from the target, where it has a name. */
  readonly opposite?: string;
  /** Those of its rows. */
  readonly relations: readonly RelatedRelation[];
}

interface Side {
  readonly delegate: string;
  readonly key: readonly string[];
}

/** A foreign key that a call writes, by the record that it refers to. */
export interface WrittenKey {
  readonly delegate: string;
  /** As in {@link WantedRecord}. */
  readonly key: Readonly<Record<string, unknown>>;
  readonly columns: readonly { readonly column: string; readonly reference: string }[];
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
