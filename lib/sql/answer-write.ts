import type { Executor } from '../data-client/executor.js';
import { executorInTime } from '../data-client/executor-in-time.js';
import { type AtMost, type Plan, callsOf } from '../data-client/plan.js';
import { runPlan } from '../data-client/run-plan.js';
import { hasOpenWindows } from '../data-client/load-windows.js';
import { FailedCallError } from '../errors/failed-call-error.js';
import { isUnreachable } from '../errors/is-connection-lost.js';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import { isRowsRead, isWrite, type Query } from '../query/query.js';
import type { Row } from '../query/result.js';
import { isAnswered, type Write } from '../query/write.js';
import {
  type AnswerSize,
  type Answered,
  asPrismaTells,
  hasGivenUp,
  isLeftToPrisma,
  reasonOf,
  ROWS_PER_ANSWER,
  type SqlContext,
  tell,
} from './answer-plan.js';
import { decline } from './declined.js';
import { type FlatWrite, flatWrite, isOneStatement } from './flat-write.js';
import type { CompiledRead } from './plan-compiler.js';
import { isRefusedByServer } from './pool-connection.js';
import type { PoolReads } from './pool-reads.js';
import { sqlExecutor } from './sql-executor.js';
import type { SqlReads } from './sql-reads.js';
import { requireCompiled, requireReadable } from './require-compiled.js';
import { commandOf, writtenBy } from './write-steps.js';

/** What a write is made with. */
export interface WriteContext extends Pick<SqlContext, 'reads' | 'storage' | 'timeout' | 'onUntimed' | 'waiting'> {
  readonly size: AnswerSize;
  /** Whether the client is bound to a caller. */
  readonly isBound: boolean;
  /** Called when the statement is sent: from then on it may be stored. And once it is known that it is not. */
  readonly onSend: () => void;
  readonly onUndone: () => void;
  /** Whether rules are kept, query by query. */
  readonly isRuled: boolean;
  /** What its caller may not see of what Prisma would do query by query is looked at. */
  readonly asCaller: (host: Executor) => Executor;
  /** Converts the results of the plan. */
  readonly finish: (results: unknown) => Promise<unknown>;
}

/**
 * Does a write in SQL: where one statement does it, by that alone, which is a transaction of its own and takes one round trip.
 *
 * @returns undefined if nothing was written, and Prisma must do it
 * @throws UnknownOutcomeError where it may be stored, or is, and cannot be told
 */
export async function answerWrite(plan: Plan, context: WriteContext): Promise<Answered | undefined> {
  try {
    const isAtOnce = !context.isRuled && isOneStatement(plan, context);
    return { results: await (isAtOnce ? answerAtOnce : answerInTransaction)(plan, context) };
  } catch (error) {
    leaveToPrisma(error, plan, context);
    return undefined;
  }
}

/** @throws what was thrown, unless nothing is written and Prisma should do it */
function leaveToPrisma(error: unknown, plan: Plan, context: WriteContext): void {
  const cause = error instanceof FailedCallError ? error.cause : error;
  if (error instanceof UnknownOutcomeError || !isUndone(cause)) throw error;
  context.onUndone();
  if (!isLeftToPrisma(cause)) {
    const told = asPrismaTells(cause);
    // Which of several that travel together has failed is not told.
    throw error instanceof FailedCallError && aheadOf(plan, context).length < 2 ? new FailedCallError(error.index, told) : told;
  }
  const queries = callsOf(plan).map((call) => call.query);
  const query = queries.findLast(isWrite);
  if (query) tell({ query, reason: reasonOf(cause) }, context);
}

async function answerAtOnce(plan: Plan, context: WriteContext): Promise<unknown> {
  const flat = flatWrite(plan, context);
  const compiled = context.reads.compilerOf(context.storage).compileWrite(flat, mostOf(context.size));
  const sent = await send(compiled, flat, context);
  if (sent.rows[0] === null) return decline('no such row');
  return told(sent, { plan, flat, compiled, context });
}

/** As Prisma does it, query by query. The answer is there, and its size is checked, before the commit. */
async function answerInTransaction(plan: Plan, context: WriteContext): Promise<unknown> {
  const { reads, storage, timeout, onUntimed, waiting, isBound, isRuled, size, finish, onSend, asCaller } = context;
  const { setup, binding } = reads;
  if (isBound && !binding) return decline('a client that is bound in a way of its own');
  const settings = { timeout, onUntimed, waiting, ...(binding && { binding: binding(timeout) }) };
  const made = {
    pool: poolOf(setup),
    compiler: reads.compilerOf(storage),
    settings,
    isBound,
    maxBytes: ROWS_PER_ANSWER * size.bytes,
    // Rules are kept by queries of their own, which need all that they ask for.
    most: isRuled ? undefined : mostRows(plan),
    ahead: aheadOf(plan, context),
  };
  const requireTaken = isRuled ? requireReadable : requireCompiled;
  for (const { query, awaitsRows } of callsOf(plan)) if (!awaitsRows) requireTaken(query, made);
  return runPlan(asCaller(executorInTime(sqlExecutor(made), waiting)), plan, {
    finish,
    signal: waiting,
    onCommit: onSend,
    isBounded: !isRuled,
  });
}

/**
 * The queries that a plan begins with, as long as they are fast and none has to wait for the answer to another. Whoever keeps rules, or looks for what is
 * referred to, asks between them.
 */
function aheadOf(plan: Plan, { isRuled, isBound }: Pick<WriteContext, 'isRuled' | 'isBound'>): readonly Query[] {
  if (isRuled || isBound) return [];
  const calls = callsOf(plan).flatMap((call) => [...(call.before ?? []), call]);
  const slow = calls.findIndex(({ query, expect, awaitsRows, foreignKeys = [] }) => {
    const isChecked = expect?.kind === 'all-found' && !expect.otherSpellings;
    if (awaitsRows || foreignKeys.length > 0 || (isRowsRead(query) && hasOpenWindows(query))) return true;
    return !isChecked && !OF_ONE_ROW.has(query.kind);
  });
  return calls.slice(0, slow === -1 ? undefined : slow).map(({ query }) => query);
}

const OF_ONE_ROW: ReadonlySet<Query['kind']> = new Set(['find-unique', 'create', 'update', 'upsert', 'delete'] as const);

/** The largest limit of its calls, each of which is held to its own. */
function mostRows(plan: Plan): AtMost | undefined {
  const limits = callsOf(plan).flatMap(({ expect }) => (expect?.kind === 'at-most' ? [expect] : []));
  return limits.reduce<AtMost | undefined>((most, one) => (most && most.rows >= one.rows ? most : one), undefined);
}

/** What the statement has answered. */
interface Sent {
  /** The texts of the rows, null for one that is not there, or how many it has written. */
  readonly rows: readonly unknown[];
  /** Whether the row of an upsert was there. */
  readonly isFound: boolean;
}

async function send(
  { text, values, before }: CompiledRead,
  flat: FlatWrite,
  { reads, timeout, waiting, onUntimed, onSend }: WriteContext,
): Promise<Sent> {
  const pool = poolOf(reads.setup);
  if (before && !reads.binding) return decline('a reference, of a client that is bound in a way of its own');
  let isSent = false;
  // It is asked once there is a connection, and the statement goes next.
  const sending = {
    throwIfAborted: () => {
      waiting.throwIfAborted();
      isSent = true;
      onSend();
    },
  };
  let isFound = false;
  const convert = ([row, found]: readonly (string | null)[]): unknown => {
    isFound = found === 'true';
    return row;
  };
  const statement = {
    text,
    values,
    command: commandOf(flat),
    writes: true,
    timeout,
    waiting: sending,
    onUntimed,
    convert,
    counted: !isAnswered(flat.query),
    ...(before && { before }),
    ...(reads.binding && { binding: reads.binding(timeout) }),
  };
  const rows = await pool.read(statement).catch((error: unknown) => {
    throw isSent && !isRefused(error) ? new UnknownOutcomeError(error) : error;
  });
  return { rows, isFound };
}

function poolOf({ pool }: SqlReads['setup']): PoolReads {
  if (!pool) throw new TypeError('There is no pool to write on.');
  return pool;
}

interface Telling {
  readonly plan: Plan;
  readonly flat: FlatWrite;
  readonly compiled: CompiledRead;
  readonly context: WriteContext;
}

/** What is stored is told, or an error that says that it is stored. */
async function told({ rows, isFound }: Sent, { plan, flat, compiled, context }: Telling): Promise<unknown> {
  try {
    const result = writtenBy(flat.query, compiled, rows);
    const [checks, looked] = [callsOf(plan).slice(0, -1), isFound ? readUpsertKey(flat.query) : null];
    return await context.finish(
      plan.kind === 'transaction' ? [...checks.map((call) => (call === flat.look ? looked : [])), result] : result,
    );
  } catch (error) {
    throw new UnknownOutcomeError(error, 'unanswered');
  }
}

/** What is known of the row that an upsert has found. */
function readUpsertKey(query: Write): Row | null {
  if (query.kind !== 'upsert') return null;
  const [{ key, values }] = query.where.keys;
  return Object.fromEntries(key.fields.map((name, index) => [name, values[index]]));
}

/** Whether nothing is written, and SQL or the database says why. */
function isUndone(error: unknown): boolean {
  return hasGivenUp(error) || isRefused(error);
}

/** Whether the database says that it has not done it. One that ends the connection, or breaks it off, does not. */
function isRefused(error: unknown): boolean {
  return isUnreachable(error) || isRefusedByServer(error);
}

/** In an answer, a byte may take six, and there is more than the values of the row. */
function mostOf({ bytes }: WriteContext['size']): number | undefined {
  if (bytes === Infinity) return undefined;
  const most = Math.floor(bytes / 8) - 16_384;
  return most > 0 ? most : decline('limits.maxResponseSize');
}
