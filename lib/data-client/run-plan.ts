import { ApiError, type Problem } from '../errors/api-error.js';
import { FailedCallError } from '../errors/failed-call-error.js';
import { isResultNotReadable } from '../errors/is-result-not-readable.js';
import { withCallIndex } from '../errors/with-call-index.js';
import { callClient } from './call-client.js';
import type { DataClient } from './data-client.js';
import { countRelated, longestList } from './count-related.js';
import { missingRecords } from './missing-records.js';
import { isQuick } from './is-quick.js';
import { findOtherSpellings, spellAsStored, type Spelling } from './other-spellings.js';
import { runApart } from './run-apart.js';
import { runProbed } from './run-probed.js';
import type { AtMost, CollectionPlan, DataCall, Expectation, Plan, PlanResults, TransactionPlan, UniqueKey } from './plan.js';
import { type Transact, type TransactionRules, transactionsOf } from './transactions.js';

/** How a plan is run. By default, without a time limit. */
export interface RunRules extends Omit<TransactionRules, 'writes' | 'isDone'> {
  /** Whether a read that may take long runs in a transaction, too. */
  readonly wrapsReads?: boolean;
  /** By delegate, for a client that cannot select `_count` in a write: the keys by which the answers of such writes are read. */
  readonly readBackKeys?: ReadonlyMap<string, UniqueKey>;
}

/**
 * Runs a plan on the data client of the request. The host's client is called nowhere else.
 *
 * Every write is a transaction that holds its answer, too: one whose rows cannot be read, or do not hold what they must, or cannot be told
 * (`finish`), writes nothing.
 *
 * @throws ApiError when a call does not meet its expectation; then nothing of the plan is written
 * @throws FailedCallError when one of several calls of a transaction fails
 * @throws UnknownOutcomeError when a write was not confirmed
 * @throws whatever the data layer throws
 */
export async function runPlan<P extends Plan>(client: DataClient, plan: P, rules?: RunRules): Promise<PlanResults[P['kind']]>;
export async function runPlan(client: DataClient, plan: Plan, rules: RunRules = {}): Promise<PlanResults[Plan['kind']]> {
  const calls = callsOf(plan);
  const writes = calls.some(isWrite);
  const isOne = writes || (plan.kind === 'transaction' && calls.length > 1) || (rules.wrapsReads === true && !calls.every(isQuick));
  const run: Transact = isOne ? transactionsOf(client, { ...rules, writes, isDone }) : (work) => work(client);
  switch (plan.kind) {
    case 'call':
      return run((open) => runCall(open, plan.call, rules));
    case 'collection':
      return run((open) => runCollection(open, plan, isOne));
    case 'transaction':
      return run((open) => runInOrder(open, plan, rules));
  }
}

/** Whether the write is done although its result may not be read. Not if further calls follow. */
function isDone(error: unknown): boolean {
  return error instanceof FailedCallError ? error.isDone : isResultNotReadable(error);
}

/** Whether any call of a plan changes something. */
export function isWriting(plan: Plan): boolean {
  return callsOf(plan).some(isWrite);
}

function callsOf(plan: Plan): readonly DataCall[] {
  switch (plan.kind) {
    case 'call':
      return [plan.call];
    case 'collection':
      return plan.total ? [plan.rows, plan.total] : [plan.rows];
    case 'transaction':
      return plan.calls;
  }
}

function isWrite({ operation }: DataCall): boolean {
  return !/^(?:find|count|aggregate|groupBy)/.test(operation);
}

/** Runs calls one after the other if they share a connection. */
async function runCollection(client: DataClient, { rows, total }: CollectionPlan, inOrder: boolean): Promise<PlanResults['collection']> {
  const listing = runCall(client, rows);
  if (inOrder) await listing;
  const [found, count] = await Promise.all([listing, total && runCall(client, total)]);
  return { rows: found as readonly unknown[], total: count as number | undefined };
}

async function runInOrder(client: DataClient, { calls, limit }: TransactionPlan, rules: RunRules): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  const spellings: Spelling[] = [];
  let size: Size = { rows: 0, related: 0 };
  for (const [index, call] of calls.entries()) {
    rules.signal?.throwIfAborted();
    const place = { index, isLast: index === calls.length - 1 };
    const { result, ...found } = await runNumbered(place, () => answer(client, spellAsStored(call, spellings), rules));
    results.push(result);
    spellings.push(...found.spellings);
    if (!limit || call.expect?.kind !== 'at-most') continue;
    size = add(size, sizeOf(result, call.expect));
    if (isLarger(size, limit.rows)) throw withCallIndex(ApiError.of([limit.problem]), index);
  }
  return results;
}

interface Place {
  readonly index: number;
  readonly isLast: boolean;
}

async function runNumbered({ index, isLast }: Place, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ApiError ? withCallIndex(error, index) : new FailedCallError(index, error, isLast && isResultNotReadable(error));
  }
}

async function runCall(client: DataClient, call: DataCall, rules: RunRules = {}): Promise<unknown> {
  return (await answer(client, call, rules)).result;
}

interface Answer {
  readonly result: unknown;
  /** Of the wanted records that are stored under another key than was asked for. */
  readonly spellings: readonly Spelling[];
}

async function answer(client: DataClient, call: DataCall, rules: RunRules): Promise<Answer> {
  for (const check of call.before ?? []) await runCall(client, check);
  const result = await callWithin(client, call, rules);
  const spellings = await lookAgain(client, call, result);
  const problems = call.expect ? problemsOf(call.expect, result, spellings) : [];
  if (problems.length > 0) throw ApiError.of(problems);
  return { result, spellings };
}

function callWithin(client: DataClient, call: DataCall, { readBackKeys }: RunRules): Promise<unknown> {
  const { expect } = call;
  if (expect?.kind === 'at-most' && expect.probe) return runProbed(client, call, { ...expect, probe: expect.probe });
  const key = isWrite(call) && countsRelated(call) ? readBackKeys?.get(call.delegate) : undefined;
  return key ? runApart(client, call, { key, read: callClient }) : callClient(client, call);
}

function countsRelated({ args: { select } }: DataCall): boolean {
  return typeof select === 'object' && select !== null && '_count' in select;
}

type Row = Readonly<Record<string, unknown>>;

/** A row whose key equals no wanted key may be a wanted row with another spelling. Without such a row there is none. */
async function lookAgain(client: DataClient, call: DataCall, result: unknown): Promise<readonly Spelling[]> {
  if (call.expect?.kind !== 'all-found' || !call.expect.otherSpellings) return [];
  const rows = result as readonly Row[];
  return rows.length === 0 ? [] : findOtherSpellings(client, call, missingRecords(call.expect.wanted, rows));
}

/** The problems of rows that do not meet an expectation. */
export function problemsOf(expectation: Expectation, result: unknown, spellings: readonly Spelling[]): readonly Problem[] {
  const rows = result as readonly Row[];
  switch (expectation.kind) {
    case 'all-found':
      return missingRecords(expectation.wanted, rows)
        .filter((one) => !spellings.some(({ wanted }) => wanted === one))
        .map(({ detail, source }) => ({ code: 'not-found', detail, ...(source && { source }) }));
    case 'none-found':
      return rows.length > 0 ? [expectation.problem] : [];
    case 'at-most':
      return isLarger(sizeOf(result, expectation), expectation.rows) || hasCutList(result, expectation) ? [expectation.problem] : [];
  }
}

function hasCutList(result: unknown, { relations = [], list = Infinity }: AtMost): boolean {
  return list !== Infinity && [result].flat().some((row) => longestList(row, relations) > list);
}

/** The number of rows of a result, with their related rows. */
interface Size {
  readonly rows: number;
  readonly related: number;
}

function sizeOf(result: unknown, { relations = [] }: AtMost): Size {
  const found: readonly unknown[] = Array.isArray(result) ? result : [result];
  return { rows: found.length, related: found.reduce((sum: number, row) => sum + countRelated(row, relations), 0) };
}

function isLarger({ rows, related }: Size, limit: number): boolean {
  return rows > limit || related > limit;
}

function add(one: Size, other: Size): Size {
  return { rows: one.rows + other.rows, related: one.related + other.related };
}
