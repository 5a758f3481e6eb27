import type { Executor } from './executor.js';
import type { ComingRow } from '../query/later-value.js';
import type { Condition, UniqueCondition } from '../query/condition.js';
import type { Problem, ProblemSource } from '../errors/api-error.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { isWrite, type Query } from '../query/query.js';
import type { CountRows, FindMany } from '../query/read.js';
import type { ResultOf, Row } from '../query/result.js';

/**
 * Everything that a request asks of the data layer, as one plain value.
 *
 * `call`: one query · `collection`: the rows of a page and, unless the count is off, their total · `transaction`: several
 * queries, all or nothing, in order.
 */
export type Plan = CallPlan | CollectionPlan | TransactionPlan;

export interface CallPlan<Asked extends Query = Query> {
  readonly kind: 'call';
  readonly call: DataCall<Asked>;
}

export interface CollectionPlan {
  readonly kind: 'collection';
  readonly rows: DataCall<FindMany>;
  /** A count with the same condition; absent where the total is not asked for. */
  readonly total?: DataCall<CountRows>;
  /** Present where `total` counts one row more than this at most: if it finds that one, the number of all rows is estimated. */
  readonly exactUpTo?: number;
}

export interface TransactionPlan {
  readonly kind: 'transaction';
  readonly calls: readonly DataCall[];
  /** The limit for the rows of all calls together. */
  readonly limit?: Pick<AtMost, 'rows' | 'problem'>;
  /** Whether a write whose result cannot be read is undone with all others, and not stored without an answer. */
  readonly undoesUnreadable?: true;
}

/** A plan, and what its results mean: who runs it need not know how its calls are laid out. */
export interface Planned<Asked extends Plan, Result> {
  readonly plan: Asked;
  readonly read: (results: ResultsOf<Asked>) => Result;
}

/** A transaction whose results are read by the calls that they are of. */
export function inTransaction<Result>(
  calls: readonly DataCall[],
  read: (resultOf: <Asked extends Query>(call: DataCall<Asked>) => ResultOf<Asked>) => Result,
): Planned<TransactionPlan, Result> {
  return {
    plan: { kind: 'transaction', calls },
    // Each result is that of the call at its place.
    read: (results) => read(<Asked extends Query>(call: DataCall<Asked>) => results[calls.indexOf(call)] as ResultOf<Asked>),
  };
}

/** One query, and what has to hold. */
export interface DataCall<Asked extends Query = Query> {
  readonly query: Asked;
  /** Calls that run first, in the same transaction. The main call is made only if their expectations hold. */
  readonly before?: readonly DataCall[];
  /** A row that is locked before the call runs, so that no other transaction writes it in between. */
  readonly locks?: LockedRow;
  /** What must be true of the row that it writes, in addition: its version (`If-Match`). */
  readonly requires?: Condition;
  /** What its rows must be. Otherwise the call fails, and its transaction with it. */
  readonly expect?: Expectation;
  /** The foreign keys that it writes. If an earlier call finds the record under another spelling of the key, the stored spelling is written. */
  readonly foreignKeys?: readonly WrittenKey[];
  /** What later calls of its transaction know the row by that it returns. */
  readonly returns?: ComingRow;
  /** Whether values of it are those of rows that earlier calls return. */
  readonly awaitsRows?: true;
}

/** A row that is locked until the transaction ends, on databases that lock rows. */
export interface LockedRow {
  readonly row: UniqueCondition;
  readonly provider: Storage['provider'];
}

/** What the rows of a call must be. Otherwise nothing of the plan is written. */
export type Expectation = AllFound | NoneFound | AtMost | Affects;

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

/**
 * The maximum number of rows, and again of all their related rows together. A larger result is refused, not cut (`limits.maxTake`).
 */
export interface AtMost {
  readonly kind: 'at-most';
  readonly rows: number;
  /** The maximum length of one list, if the database is asked for one row more. A longer list was cut by the database. */
  readonly list?: number;
  /** Present if far more rows could be loaded: then they are counted first. */
  readonly isProbed?: true;
  /** The problem if there are more rows. */
  readonly problem: Problem;
}

/** How many rows a write of many must change, and may. Otherwise it is undone. */
export interface Affects {
  readonly kind: 'affects';
  readonly least?: number;
  readonly most?: number;
  readonly problem: Problem;
}

/** A foreign key that a call writes, by the record that it refers to. */
export interface WrittenKey {
  readonly model: StoredModel;
  /** As in {@link WantedRecord}. */
  readonly key: Row;
  readonly columns: readonly { readonly column: string; readonly reference: string }[];
}

export interface WantedRecord {
  /** Field values that identify the record, compared with the rows' own; Date, bigint, Decimal and bytes by value. */
  readonly key: Row;
  /** One sentence for the error, e.g. `There is no tag with id 7.` */
  readonly detail: string;
  readonly source?: ProblemSource;
}

/** What a plan yields. */
export type ResultsOf<Asked extends Plan> =
  Asked extends CallPlan<infer Called> ? ResultOf<Called> : Asked extends CollectionPlan ? CollectionResult : readonly ResultOf<Query>[];

/** The calls of a plan, in order. */
export function callsOf(plan: Plan): readonly DataCall[] {
  switch (plan.kind) {
    case 'call':
      return [plan.call];
    case 'collection':
      return plan.total ? [plan.rows, plan.total] : [plan.rows];
    case 'transaction':
      return plan.calls;
  }
}

/** The queries of a plan, in order. */
export function queriesOf(plan: Plan): readonly Query[] {
  return callsOf(plan).map(({ query }) => query);
}

/** Whether any query of a plan changes something. */
export function isWriting(plan: Plan): boolean {
  return queriesOf(plan).some(isWrite);
}

/** The rows of a page, and how many there are on all pages: counted, estimated, or neither. */
export interface CollectionResult {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly estimate?: number;
}

/** How the rules, hooks and conditions of a plan are enforced. */
export interface RuledPlan {
  /** The same plan with the rules of its caller among its conditions, for SQL; undefined for a write under rules. */
  readonly reads: Plan | undefined;
  /** Wraps the executor that the plan runs on. */
  readonly asCaller: (host: Executor) => Executor;
  /** `open`: the data layer decomposes nested writes · `ruled`: the package does, row by row · `told`: the package does, and notifies hooks. */
  readonly writes: 'open' | 'ruled' | 'told';
}

/** A plan without rules: the data layer executes it as it is. */
export function unruled(plan: Plan | undefined): RuledPlan {
  return { reads: plan, asCaller: (host) => host, writes: 'open' };
}
