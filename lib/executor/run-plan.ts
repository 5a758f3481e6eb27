import { ApiError, type Problem } from '../errors/api-error.js';
import { FailedCallError } from '../errors/failed-call-error.js';
import { isResultNotReadable } from '../errors/is-result-not-readable.js';
import { memberOf } from '../errors/member-of.js';
import { withCallIndex } from '../errors/with-call-index.js';
import type { PendingRow } from '../query/pending-value.js';
import { isFindMany, isRowsRead, isWrite, type Query, selectionIn } from '../query/query.js';
import type { RowsRead } from '../query/read.js';
import { type ResultOf, type Row, rowsOf } from '../query/result.js';
import { returnsResult } from '../query/write.js';
import { countAllRelated, longestList } from './loading/count-related.js';
import type { Executor } from './executor.js';
import { canLoadLists, loadLists, NOT_LOADED } from './loading/load-lists.js';
import { hasOpenWindows, loadWindows } from './loading/load-windows.js';
import { missingRecords } from './missing-records.js';
import { findCollationEqualKeys, type Spelling, useStoredKeys } from './collation-equal-keys.js';
import {
  type Affects,
  type AtMost,
  type CollectionPlan,
  type DataCall,
  type Plan,
  type ResultsOf,
  type TransactionPlan,
  withReturnedRows,
} from './plan.js';
import { probeRows } from './loading/probe-rows.js';
import { writeThenRead } from './loading/write-then-read.js';
import { transact, type TransactOptions } from './transactions.js';

/** Options of {@link runPlan}. By default, there is no time limit. */
export interface RunOptions extends Omit<TransactOptions, 'isDone'> {
  /** Whether the plan writes. */
  readonly isWrite: boolean;
  /** Whether reads run in a transaction, too. */
  readonly wrapsReads?: boolean;
  /** Whether writes cannot return relation counts. Their responses are then read by a second query. */
  readonly readsCountsAfter?: boolean;
  /** Whether the plan is one statement that the database commits by itself, see {@link commitsAlone}. */
  readonly commitsAlone?: boolean;
  /** Whether a write whose result cannot be read is rolled back. Otherwise, it is committed without a result. */
  readonly undoesUnreadable?: boolean;
  /** Whether the executor itself limits the rows that it loads, so that they need not be counted first. */
  readonly isBounded?: boolean;
}

/**
 * Runs a plan on the executor of the request.
 *
 * A write and its result are one transaction. If the rows do not satisfy the expectation, or `renderReply` fails, nothing is written. The
 * exception is a result that an access policy hides: such a write is committed, unless `undoesUnreadable` is set.
 *
 * @throws ApiError when a call does not meet its expectation; then nothing of the plan is written
 * @throws FailedCallError when one of several calls of a transaction fails
 * @throws UnknownOutcomeError when the database has not confirmed a write
 * @throws the errors of the data layer
 */
export async function runPlan<P extends Plan>(executor: Executor, plan: P, options: RunOptions): Promise<ResultsOf<P>>;
export async function runPlan(executor: Executor, plan: Plan, options: RunOptions): Promise<ResultsOf<Plan>> {
  const isOne = options.isWrite || (plan.kind === 'transaction' && plan.calls.length > 1) || options.wrapsReads === true;
  if (!isOne) return runCalls(executor, plan, options);
  const committing = options.commitsAlone ? { ...executor, transaction: undefined } : executor;
  const settings = { ...(!options.undoesUnreadable && { isDone }), ...options };
  return transact(committing, (open) => runCalls(open, plan, options, true), settings);
}

/** @param inOrder whether the calls share a connection, on which they run one after the other */
function runCalls(executor: Executor, plan: Plan, options: RunOptions, inOrder = false): Promise<ResultsOf<Plan>> {
  switch (plan.kind) {
    case 'call':
      return runCall(executor, plan.call, options);
    case 'collection':
      return runCollection(executor, plan, inOrder);
    case 'transaction':
      return runInOrder(executor, plan, options);
  }
}

type CallOptions = Pick<RunOptions, 'readsCountsAfter' | 'isBounded'>;

/** Whether an error means that the write is done, and only its result cannot be read. It is not done if further calls follow. */
function isDone(error: unknown): boolean {
  return error instanceof FailedCallError ? error.isDone : isResultNotReadable(error);
}

async function runCollection(executor: Executor, { rows, total }: CollectionPlan, inOrder: boolean): Promise<ResultsOf<CollectionPlan>> {
  const listing = runCall(executor, rows);
  if (inOrder) await listing;
  const [found, count] = await Promise.all([listing, total && runCall(executor, total)]);
  return { rows: found, total: count };
}

async function runInOrder(
  executor: Executor,
  { calls, limit, undoesUnreadable }: TransactionPlan,
  options: RunOptions,
): Promise<ResultsOf<TransactionPlan>> {
  const results: ResultOf<Query>[] = [];
  const spellings: Spelling[] = [];
  const rows = new Map<PendingRow, Row>();
  let size: Size = { rows: 0, related: 0 };
  for (const [index, call] of calls.entries()) {
    const place = { index, commitsUnreadable: index === calls.length - 1 && !undoesUnreadable && !options.undoesUnreadable };
    const result = await runNumbered(place, () => {
      return runCall(executor, useStoredKeys(withReturnedRows(call, rows), spellings), options, spellings);
    });
    const [row] = rowsOf(result);
    if (call.returns && row) rows.set(call.returns, row);
    results.push(result);
    if (!limit || call.expect?.kind !== 'at-most') continue;
    size = add(size, sizeOf(result, call.query));
    if (isLarger(size, limit.rows)) throw withCallIndex(ApiError.of([limit.problem]), index);
  }
  return results;
}

interface CallPosition {
  readonly index: number;
  /** Whether the write is committed although its result cannot be read. */
  readonly commitsUnreadable: boolean;
}

async function runNumbered({ index, commitsUnreadable }: CallPosition, run: () => Promise<ResultOf<Query>>): Promise<ResultOf<Query>> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ApiError
      ? withCallIndex(error, index)
      : new FailedCallError(index, error, commitsUnreadable && isResultNotReadable(error));
  }
}

/** @param spellings receives the wanted records that are stored under a collation-equal key */
async function runCall<Q extends Query>(
  executor: Executor,
  call: DataCall<Q>,
  options: CallOptions = {},
  spellings: Spelling[] = [],
): Promise<ResultOf<Q>> {
  for (const check of call.before ?? []) await runCall(executor, check);
  if (call.locks) await executor.lock?.(call.locks.row, call.locks.provider);
  const result = await executeWithin(executor, call, options);
  if (!call.expect) return result;
  const found = await findEqualKeys(executor, call, result);
  requireExpected(call, result, found);
  spellings.push(...found);
  return result;
}

/**
 * Checks the result of a call.
 *
 * @throws ApiError for a result that does not satisfy the call's expectation
 */
export function requireExpected(call: DataCall, result: ResultOf<Query>, spellings: readonly Spelling[] = []): void {
  const problems = problemsOf(call, result, spellings);
  if (problems.length > 0) throw ApiError.of(problems);
}

/** Runs the query of a call, without loading far more rows than its limit. */
async function executeWithin<Q extends Query>(
  executor: Executor,
  { query, expect }: DataCall<Q>,
  { readsCountsAfter = false, isBounded = false }: CallOptions,
): Promise<ResultOf<Q>> {
  const limit = isBounded ? undefined : probedLimit(expect);
  if (isRowsRead(query)) return readWithin(executor, query, limit);
  const readsAfter = limit !== undefined || (readsCountsAfter && countsRelated(query));
  if (!readsAfter || !isWrite(query) || !returnsResult(query)) return executor.run(query);
  return writeThenRead(executor, query, (open, read) => readWithin(open, read, limit));
}

/**
 * Runs a read. If it could load too many related rows, each list is loaded by a statement with a `LIMIT` where possible; otherwise, the rows are
 * counted first.
 *
 * @throws ApiError when there are too many rows
 */
async function readWithin<Q extends RowsRead>(executor: Executor, read: Q, limit: AtMost | undefined): Promise<ResultOf<Q>> {
  if (hasOpenWindows(read)) return loadWindows(executor, read, { limit, read: readWithin });
  if (!limit) return executor.run(read);
  const result = canLoadLists(read, limit) ? await loadLists(executor, read, limit) : NOT_LOADED;
  if (result !== NOT_LOADED) return result;
  await probeRows(executor, read, limit);
  return executor.run(read);
}

function probedLimit(expect: DataCall['expect']): AtMost | undefined {
  return expect?.kind === 'at-most' && expect.isProbed ? expect : undefined;
}

function countsRelated(query: Query): boolean {
  return selectionIn(query)?.members.some(({ kind }) => kind === 'counts') ?? false;
}

/**
 * Searches for missing records under collation-equal keys. The database has found such a record by its own collation, so there is none if it has found no
 * row.
 */
async function findEqualKeys(executor: Executor, { query, expect }: DataCall, result: ResultOf<Query>): Promise<readonly Spelling[]> {
  if (expect?.kind !== 'all-found' || !expect.otherSpellings || !isFindMany(query)) return [];
  const rows = rowsOf(result);
  return rows.length === 0 ? [] : findCollationEqualKeys(executor, query, missingRecords(query.model, expect.wanted, rows));
}

function problemsOf({ query, expect }: DataCall, result: ResultOf<Query>, spellings: readonly Spelling[]): readonly Problem[] {
  switch (expect?.kind) {
    case 'all-found':
      return missingRecords(query.model, expect.wanted, rowsOf(result))
        .filter((one) => !spellings.some(({ wanted }) => wanted === one))
        .map(({ detail, source }) => ({ code: 'not-found', detail, ...(source && { source }) }));
    case 'none-found':
      return rowsOf(result).length > 0 ? [expect.problem] : [];
    case 'affects':
      return isWithin(Number(memberOf(result, 'count')), expect) ? [] : [expect.problem];
    case 'at-most':
      return isTooMuch(result, query, expect) ? [expect.problem] : [];
    case undefined:
      return [];
  }
}

function isWithin(count: number, { least = 0, most = Infinity }: Affects): boolean {
  return count >= least && count <= most;
}

function isTooMuch(result: ResultOf<Query>, query: Query, expect: AtMost): boolean {
  return isLarger(sizeOf(result, query), expect.rows) || hasCutList(result, query, expect);
}

function hasCutList(result: ResultOf<Query>, query: Query, { list = Infinity }: AtMost): boolean {
  const selection = selectionIn(query);
  return list !== Infinity && selection !== undefined && rowsOf(result).some((row) => longestList(row, selection) > list);
}

/** The number of rows of a result, with their related rows. */
interface Size {
  readonly rows: number;
  readonly related: number;
}

function sizeOf(result: ResultOf<Query>, query: Query): Size {
  const rows = rowsOf(result);
  const selection = selectionIn(query);
  return { rows: rows.length, related: selection ? countAllRelated(rows, selection) : 0 };
}

function isLarger({ rows, related }: Size, limit: number): boolean {
  return rows > limit || related > limit;
}

function add(one: Size, other: Size): Size {
  return { rows: one.rows + other.rows, related: one.related + other.related };
}
