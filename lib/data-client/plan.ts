import type { Problem, ProblemSource } from '../errors/api-error.js';

/**
 * Everything that a request asks of the data client, as one plain value.
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
  /** The limit for the rows of all calls together. */
  readonly limit?: Pick<AtMost, 'rows' | 'problem'>;
}

/** One operation of one delegate with its final arguments. */
export interface DataCall {
  /** Property of the client, e.g. `post`. */
  readonly delegate: string;
  /** Method of the delegate, e.g. `findMany`. */
  readonly operation: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Calls that run first, in the same transaction. The main call is made only if their expectations hold. */
  readonly before?: readonly DataCall[];
  /** What its rows must be. Otherwise the call fails, and its transaction with it. */
  readonly expect?: Expectation;
  /** The foreign keys that it writes. If an earlier call finds the record under another spelling of the key, the stored spelling is written. */
  readonly foreignKeys?: readonly WrittenKey[];
}

/** What the rows of a call must be. Otherwise nothing of the plan is written. */
export type Expectation = AllFound | NoneFound | AtMost;

/**
 * Every wanted record must be among the rows that a call returned; each missing one becomes a `not-found` problem with its pointer.
 * This is how linkage to records that do not exist, or that the caller may not see, is refused before anything is written.
 */
export interface AllFound {
  readonly kind: 'all-found';
  readonly wanted: readonly WantedRecord[];
  /** Whether the database may find other spellings of a key equal, so that a record without an equal row may still exist. */
  readonly otherSpellings?: true;
}

/** There must be no rows. This protects required links. */
export interface NoneFound {
  readonly kind: 'none-found';
  /** The problem if there is a row. */
  readonly problem: Problem;
}

/** The maximum number of rows, and of their related rows. A larger result is refused, not cut (`limits.maxTake`). */
export interface AtMost {
  readonly kind: 'at-most';
  readonly rows: number;
  /** Relations whose rows, in all rows together, have the same limit. */
  readonly relations?: readonly RelatedRelation[];
  /** The maximum length of one list, if the database is asked for one row more. A longer list was cut by the database. */
  readonly list?: number;
  /** Present if far more rows could be loaded: then they are counted first. */
  readonly probe?: Probe;
  /** The problem if there are more rows. */
  readonly problem: Problem;
}

/** How a call's rows are counted before they are loaded. */
export interface Probe {
  /** A unique key of the rows. */
  readonly key: UniqueKey;
}

/** A unique key, by Prisma's names. */
export interface UniqueKey {
  /** Its name in a `where`. */
  readonly name: string;
  readonly fields: readonly string[];
}

/** A relation whose rows are loaded with a row, by Prisma's names. */
export interface RelatedRelation {
  readonly name: string;
  readonly many: boolean;
  /** Its arguments, without the selection of its rows. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The side that has it, and the fields that tell its rows apart. */
  readonly owner: Side;
  readonly target: Side;
  /** On the target, where that holds the key: its fields and those of the owner that they refer to. */
  readonly foreignKey?: { readonly fields: readonly string[]; readonly references: readonly string[] };
  /** The relation in the opposite direction, if it has a name. */
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
