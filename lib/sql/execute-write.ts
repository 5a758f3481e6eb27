import type { Executor } from '../executor/executor.js';
import { hasOpenWindows } from '../executor/loading/load-windows.js';
import { type AtMost, type Plan, callsIn, callsOf } from '../executor/plan.js';
import type { Run } from '../executor/run.js';
import { runPlan } from '../executor/run-plan.js';
import { FailedCallError } from '../errors/failed-call-error.js';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import { isRowsRead, type Query } from '../query/query.js';
import type { Row } from '../query/result.js';
import { returnsResult, type Write } from '../query/write.js';
import { Declined, decline } from './declined.js';
import { ROWS_PER_RESPONSE } from './execute-read.js';
import { isRefused, reportedQueries } from './fall-back.js';
import { type FlatWrite, flatWrite, isOneStatement } from './flat-write.js';
import type { CompiledQuery } from './plan-compiler.js';
import type { PoolReads } from './pool-reads.js';
import { requireCompiled, requireReturnable } from './require-compiled.js';
import { sqlExecutor } from './sql-executor.js';
import type { ClientSql } from './client-sql.js';
import { commandOf, writtenBy } from './write-steps.js';

/**
 * Executes a plan that writes, and renders its result. A plan that compiles to one statement needs no explicit transaction, and takes one round trip.
 * Any other plan runs in a transaction.
 *
 * @param wrap wraps the executor of a transaction for the run
 * @throws Declined if Prisma must execute the plan; nothing is written then
 * @throws UnknownOutcomeError if the write may be stored, or is committed and its response cannot be rendered
 */
export async function executeWrite(run: Run, clientSql: ClientSql, wrap: Wrap): Promise<unknown> {
  const { plan, enforcement, recorded, renderReply } = run;
  // Hooks and records of idempotency keys need the transaction of Prisma's client.
  if (enforcement.writeMode === 'observed') throw new Declined('a write with hooks', reportedQueries(plan));
  if (recorded) throw new Declined('a write with an Idempotency-Key', reportedQueries(plan));
  if (!renderReply) throw new Declined('a write without a response', reportedQueries(plan));
  const mayBeUndone = plan.kind === 'transaction' && plan.mayBeUndone;
  const commitsAlone = enforcement.writeMode === 'direct' && !mayBeUndone && isOneStatement(plan, run);
  return commitsAlone ? executeStatement(run, clientSql, renderReply) : executeTransaction(run, { clientSql, wrap, renderReply });
}

type Wrap = (run: Run, executor: Executor) => Executor;
type RenderReply = NonNullable<Run['renderReply']>;

/** Executes a write as one statement, which commits with it, and renders its result afterwards. */
async function executeStatement(run: Run, clientSql: ClientSql, renderReply: RenderReply): Promise<unknown> {
  const flat = flatWrite(run.plan, run);
  const compiled = clientSql.compilerOf(run.storage).compileWrite(flat, maxBytesOf(run.size));
  const committed = await sendWrite(compiled, flat, run, clientSql);
  if (committed.rows[0] === null) return decline('no such row');
  try {
    return await renderReply(resultsOf(committed, flat, compiled, run.plan));
  } catch (error) {
    throw new UnknownOutcomeError(error, 'unanswered');
  }
}

interface TransactionParts {
  readonly clientSql: ClientSql;
  readonly wrap: Wrap;
  readonly renderReply: RenderReply;
}

/**
 * Executes the queries of a plan one after the other in a transaction, as Prisma does. The response is rendered, and its size is checked, before the
 * commit.
 */
async function executeTransaction(run: Run, { clientSql, wrap, renderReply }: TransactionParts): Promise<unknown> {
  const { plan, enforcement, storage, timeout, onUntimed, deadline, isBound, size, tally } = run;
  const { setup, binding } = clientSql;
  const isRuled = enforcement.writeMode === 'row-by-row';
  if (isBound && !binding) return decline('a client that is bound in a way of its own');
  const settings = { timeout, onUntimed, tally, waiting: deadline, ...(binding && { binding: binding(timeout) }) };
  const ahead = sentAhead(run);
  const made = {
    pool: poolOf(setup),
    compiler: clientSql.compilerOf(storage),
    settings,
    isBound,
    maxBytes: ROWS_PER_RESPONSE * size.bytes,
    // The executor that enforces rules needs all rows that it queries.
    limit: isRuled ? undefined : maxRowsOf(plan),
    ahead,
  };
  const requireTaken = isRuled ? requireReturnable : requireCompiled;
  for (const { query, awaitsRows } of callsOf(plan)) if (!awaitsRows) requireTaken(query, made);
  const options = { isWrite: true, renderReply, deadline, isBounded: !isRuled };
  return runPlan(wrap(run, sqlExecutor(made)), plan, options).catch((error: unknown) => {
    // PostgreSQL does not report which of several pipelined statements has failed.
    throw error instanceof FailedCallError && ahead.length > 1 ? error.cause : error;
  });
}

/**
 * Returns the queries at the beginning of a plan that are sent together. They are cheap, and none needs the result of another. Rules, and checks of
 * visible references, send queries between those of the plan, so the list is empty for plans with these.
 */
function sentAhead({ plan, enforcement, isBound }: Run): readonly Query[] {
  if (enforcement.writeMode !== 'direct' || isBound) return [];
  const calls = callsIn(plan);
  const slow = calls.findIndex(({ query, expect, awaitsRows, locks, foreignKeys = [] }) => {
    const isChecked = expect?.kind === 'all-found' && !expect.otherSpellings;
    if (awaitsRows || locks || foreignKeys.length > 0 || (isRowsRead(query) && hasOpenWindows(query))) return true;
    return !isChecked && !OF_ONE_ROW.has(query.kind);
  });
  return calls.slice(0, slow === -1 ? undefined : slow).map(({ query }) => query);
}

const OF_ONE_ROW: ReadonlySet<Query['kind']> = new Set(['find-unique', 'create', 'update', 'upsert', 'delete'] as const);

/** Returns the largest row limit of the calls. The limit of each call is enforced afterwards. */
function maxRowsOf(plan: Plan): AtMost | undefined {
  const limits = callsOf(plan).flatMap(({ expect }) => (expect?.kind === 'at-most' ? [expect] : []));
  return limits.reduce<AtMost | undefined>((loosest, one) => (loosest && loosest.rows >= one.rows ? loosest : one), undefined);
}

/** What the statement of a write has returned. */
interface CommittedWrite {
  /** The JSON texts of the rows, or `null` for a row that does not exist. For a write without a selection, the number of written rows. */
  readonly rows: readonly unknown[];
  /** Whether the row of an upsert existed before the write. */
  readonly isFound: boolean;
}

async function sendWrite(
  { text, values, before }: CompiledQuery,
  flat: FlatWrite,
  { timeout, deadline, onUntimed, tally }: Run,
  { setup, binding }: ClientSql,
): Promise<CommittedWrite> {
  const pool = poolOf(setup);
  if (before && !binding) return decline('a reference, of a client that is bound in a way of its own');
  let isSent = false;
  // The pool calls it once it has a connection, immediately before it sends the statement.
  const sending = {
    throwIfAborted: () => {
      deadline.throwIfAborted();
      isSent = true;
      deadline.beginCommit();
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
    tally,
    convert,
    counted: !returnsResult(flat.query),
    ...(before && { before }),
    ...(binding && { binding: binding(timeout) }),
  };
  const rows = await pool.read(statement).catch((error: unknown) => {
    throw isSent && !isRefused(error) ? new UnknownOutcomeError(error) : error;
  });
  return { rows, isFound };
}

function poolOf({ pool }: ClientSql['setup']): PoolReads {
  if (!pool) throw new TypeError('There is no pool to write on.');
  return pool;
}

/**
 * Returns the results of a plan by its calls. The last call is the write. The others are look-ups, which the statement has checked, so that their results
 * are empty.
 */
function resultsOf({ rows, isFound }: CommittedWrite, flat: FlatWrite, compiled: CompiledQuery, plan: Plan): unknown {
  const result = writtenBy(flat.query, compiled, rows);
  if (plan.kind !== 'transaction') return result;
  const found = isFound ? readUpsertKey(flat.query) : null;
  return plan.calls.map((call, index) => (index === plan.calls.length - 1 ? result : call === flat.look ? found : []));
}

/** Returns the key of the row that an upsert has found. */
function readUpsertKey(query: Write): Row | null {
  if (query.kind !== 'upsert') return null;
  const [{ key, values }] = query.where.keys;
  return Object.fromEntries(key.fields.map((name, index) => [name, values[index]]));
}

/**
 * Returns the maximum number of bytes of a written row. It is less than the limit of the response, because escaping may turn one byte into six, and
 * the response contains more than the row.
 */
function maxBytesOf({ bytes }: Run['size']): number | undefined {
  if (bytes === Infinity) return undefined;
  const maxBytes = Math.floor(bytes / 8) - 16_384;
  return maxBytes > 0 ? maxBytes : decline('limits.maxResponseSize');
}
