import type { Executor } from './executor.js';
import { type PendingRow, PendingValue } from '../query/pending-value.js';
import type { Condition, UniqueCondition } from '../query/condition.js';
import type { Problem, ProblemSource } from '../errors/api-error.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { isWrite, type Query } from '../query/query.js';
import type { CountRows, FindMany } from '../query/read.js';
import type { ResultOf, Row } from '../query/result.js';
import { mapValues } from '../query/map-values.js';

/**
 * All queries of one request, as a plain value.
 *
 * - `call`: one query
 * - `collection`: the rows of a page, and their total unless the count is off
 * - `transaction`: several queries in order, all or nothing
 */
export type Plan = CallPlan | CollectionPlan | TransactionPlan;

export interface CallPlan<Q extends Query = Query> {
  readonly kind: 'call';
  readonly call: DataCall<Q>;
}

export interface CollectionPlan {
  readonly kind: 'collection';
  readonly rows: DataCall<FindMany>;
  /** A count with the same condition; absent if the request needs no total. */
  readonly total?: DataCall<CountRows>;
  /** Present if `total` counts at most one row more than this. If it counts that row, the number of all rows is estimated. */
  readonly exactUpTo?: number;
}

export interface TransactionPlan {
  readonly kind: 'transaction';
  readonly calls: readonly DataCall[];
  /** Maximum number of rows of all calls together. */
  readonly limit?: Pick<AtMost, 'rows' | 'problem'>;
  /** Whether a write whose result cannot be read is rolled back with all others. Otherwise, it is committed without a result. */
  readonly undoesUnreadable?: true;
  /** Whether the function that renders the response may reject the results. The writes are then rolled back, so none may commit before it has run. */
  readonly mayBeUndone?: true;
}

/** A plan with a function that reads its results by their index. A stage that replaces the plan keeps the number and the order of its calls. */
export interface Planned<P extends Plan, Result> {
  readonly plan: P;
  readonly read: (results: ResultsOf<P>) => Result;
}

/** Creates a transaction plan whose results are read by their calls. */
export function inTransaction<Result>(
  calls: readonly DataCall[],
  read: (resultOf: <Q extends Query>(call: DataCall<Q>) => ResultOf<Q>) => Result,
): Planned<TransactionPlan, Result> {
  return {
    plan: { kind: 'transaction', calls },
    // Each result has the index of its call.
    read: (results) => read(<Q extends Query>(call: DataCall<Q>) => results[calls.indexOf(call)] as ResultOf<Q>),
  };
}

/** One query, with its preconditions and expectations. */
export interface DataCall<Q extends Query = Query> {
  readonly query: Q;
  /** Calls that run first, in the same transaction. The main call runs only if their expectations are met. */
  readonly before?: readonly DataCall[];
  /** A row that is locked before the call runs, so that no other transaction writes it in between. */
  readonly locks?: LockedRow;
  /** An additional condition on the row that the call writes: its version (`If-Match`). */
  readonly requires?: Condition;
  /** What the result must satisfy. Otherwise, the call and its transaction fail. */
  readonly expect?: Expectation;
  /** The foreign keys that the call writes. If an earlier call finds the record under a collation-equal key, the stored key is written. */
  readonly foreignKeys?: readonly WrittenKey[];
  /** Identifies the returned row for later calls of the same transaction. */
  readonly returns?: PendingRow;
  /** Whether the call uses values of rows that earlier calls return. */
  readonly awaitsRows?: true;
}

/** A row that is locked until the transaction ends, on databases that lock rows. */
export interface LockedRow {
  readonly row: UniqueCondition;
  readonly provider: Storage['provider'];
}

/** What the rows of a call must satisfy. Otherwise, nothing of the plan is written. */
export type Expectation = AllFound | NoneFound | AtMost | Affects;

/**
 * Every wanted record must be among the rows that a call returned. Each missing one becomes a `not-found` problem with its pointer. This rejects
 * linkage to missing or hidden records before anything is written.
 */
export interface AllFound {
  readonly kind: 'all-found';
  readonly wanted: readonly WantedRecord[];
  /** Whether the database may find different texts of a key equal. Then a record without an exactly equal row may still exist. */
  readonly otherSpellings?: true;
}

/** There must be no rows. This protects required relations. */
export interface NoneFound {
  readonly kind: 'none-found';
  /** The problem if there is a row. */
  readonly problem: Problem;
}

/** The maximum number of rows, and separately of all their related rows. A larger result is rejected, not truncated (`limits.maxTake`). */
export interface AtMost {
  readonly kind: 'at-most';
  readonly rows: number;
  /** Maximum length of one list, if the query loads one row more. A longer list was truncated by the database. */
  readonly list?: number;
  /** Present if far more rows could be loaded. Then the rows are counted first. */
  readonly isProbed?: true;
  /** The problem if there are more rows. */
  readonly problem: Problem;
}

/** The minimum and maximum number of rows that a bulk write may change. Otherwise, it is rolled back. */
export interface Affects {
  readonly kind: 'affects';
  readonly least?: number;
  readonly most?: number;
  readonly problem: Problem;
}

/** A foreign key that a call writes, with the record that it references. */
export interface WrittenKey {
  readonly model: StoredModel;
  /** As in {@link WantedRecord}. */
  readonly key: Row;
  readonly columns: readonly { readonly column: string; readonly reference: string }[];
}

export interface WantedRecord {
  /** Field values that identify the record, compared with those of the rows. Date, bigint, Decimal and bytes are compared by value. */
  readonly key: Row;
  /** One sentence for the error, e.g. `There is no tag with id 7.` */
  readonly detail: string;
  readonly source?: ProblemSource;
}

/** The results of a plan. */
export type ResultsOf<P extends Plan> =
  P extends CallPlan<infer Called> ? ResultOf<Called> : P extends CollectionPlan ? CollectionResult : readonly ResultOf<Query>[];

/** Returns the calls of a plan, in order. */
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

/** Returns the calls of a plan in order, including those that run before others. */
export function callsIn(plan: Plan): readonly DataCall[] {
  return callsOf(plan).flatMap((call) => [...(call.before ?? []), call]);
}

/** Returns the queries of a plan, in order. */
export function queriesOf(plan: Plan): readonly Query[] {
  return callsOf(plan).map(({ query }) => query);
}

/** Whether any query of a plan writes. */
export function isWriting(plan: Plan): boolean {
  return callsOf(plan).some(({ query }) => isWrite(query));
}

/** The rows of a page, and the number of rows on all pages: counted, estimated, or neither. */
export interface CollectionResult {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly estimate?: number;
}

/** How the rules, the hooks and the versions of a plan are enforced. */
export interface Enforcement {
  /** The plan that SQL compiles: of a read, with the rules of its caller among its conditions. Undefined for a write under rules. */
  readonly sqlPlan: Plan | undefined;
  /** Wraps the executor on which the plan runs through Prisma, so that it enforces the rules and calls the hooks. */
  readonly wrap: (executor: Executor) => Executor;
  /**
   * Who decomposes nested writes. `direct`: the data layer, as no rule restricts them · `row-by-row`: the package, which checks each row · `observed`:
   * the package, which also calls hooks.
   */
  readonly writeMode: 'direct' | 'row-by-row' | 'observed';
}

/** Returns the enforcement of a plan that the data layer executes unchanged. */
export function withoutRules(plan: Plan | undefined): Enforcement {
  return { sqlPlan: plan, wrap: (executor) => executor, writeMode: 'direct' };
}

/** Rows that earlier writes of a transaction have returned. */
type ReturnedRows = ReadonlyMap<PendingRow, Row>;

/** Replaces placeholders in a call by values of rows that earlier calls have returned. */
export function withReturnedRows(call: DataCall, rows: ReturnedRows): DataCall {
  return call.awaitsRows === true ? withValues(call, rows) : call;
}

function withValues({ before, ...call }: DataCall, rows: ReturnedRows): DataCall {
  const { query, expect, foreignKeys } = call;
  const valueOf = (value: unknown): unknown => (value instanceof PendingValue ? returnedValue(value, rows) : value);
  const keyOf = <Keyed extends { readonly key: Row }>(keyed: Keyed): Keyed => ({ ...keyed, key: mapMembers(keyed.key, valueOf) });
  return {
    ...call,
    ...(before && { before: before.map((first) => withValues(first, rows)) }),
    query: mapValues(query, valueOf),
    ...(expect && { expect: withKeys(expect, keyOf) }),
    ...(foreignKeys && { foreignKeys: foreignKeys.map(keyOf) }),
  };
}

function returnedValue({ row, field }: PendingValue, rows: ReturnedRows): unknown {
  const returned = rows.get(row);
  if (!returned) throw new TypeError('A call uses a row that no call before it returns.');
  return returned[field];
}

function withKeys(expect: Expectation, keyOf: <Keyed extends { readonly key: Row }>(keyed: Keyed) => Keyed): Expectation {
  return expect.kind === 'all-found' ? { ...expect, wanted: expect.wanted.map(keyOf) } : expect;
}

function mapMembers(row: Row, map: (value: unknown) => unknown): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, map(value)]));
}
