import { type Plan, callsOf } from '../data-client/plan.js';
import { isUnreachable } from '../errors/is-connection-lost.js';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import type { Affected } from '../query/result.js';
import { isAnswered } from '../query/write.js';
import { type AnswerSize, type Answered, asPrismaTells, isLeftToPrisma, reasonOf, type SqlContext, tell } from './answer-plan.js';
import { Declined, decline } from './declined.js';
import { COMMANDS, type FlatWrite, flatWrite } from './flat-write.js';
import type { CompiledRead } from './plan-compiler.js';
import { isRefusedByServer } from './pool-connection.js';

/** What a write is made with. */
export interface WriteContext extends Pick<SqlContext, 'reads' | 'storage' | 'timeout' | 'onUntimed' | 'waiting'> {
  readonly size: Pick<AnswerSize, 'bytes'>;
  /** Whether the client is bound to a caller. */
  readonly isBound: boolean;
  /** Called when the statement is sent: from then on it may be stored. And once it is known that it is not. */
  readonly onSend: () => void;
  readonly onUndone: () => void;
  /** Converts the results of the plan. */
  readonly finish: (results: unknown) => Promise<unknown>;
}

/**
 * Does a write by one SQL statement, which is a transaction of its own: one round trip.
 *
 * @returns undefined if nothing was written, and Prisma must do it
 * @throws UnknownOutcomeError where it may be stored, or is, and cannot be told
 */
export async function answerWrite(plan: Plan, context: WriteContext): Promise<Answered | undefined> {
  const [call] = callsOf(plan).slice(-1);
  if (!call) return undefined;
  const { query } = call;
  try {
    const flat = flatWrite(plan, context.isBound);
    const compiled = context.reads.compilerOf(context.storage).compileWrite(flat, mostOf(context.size));
    const rows = await send(compiled, flat, context);
    if (hasNoRow(flat, rows)) return decline('no such row');
    const read = (): unknown => (isAnswered(flat.query) ? rowOf(rows, compiled.reader) : countOf(rows));
    return { results: await told(read, { plan, context }) };
  } catch (error) {
    if (error instanceof UnknownOutcomeError || !(error instanceof Declined || isRefused(error))) throw error;
    context.onUndone();
    if (!isLeftToPrisma(error)) throw asPrismaTells(error);
    tell({ query, reason: reasonOf(error) }, context);
    return undefined;
  }
}

/** The texts of the rows that it returns, or how many it has written. */
async function send(
  { text, values }: CompiledRead,
  { query }: FlatWrite,
  { reads, timeout, waiting, onUntimed, onSend }: WriteContext,
): Promise<readonly unknown[]> {
  const { pool } = reads.setup;
  if (!pool) throw new TypeError('There is no pool to write on.');
  let isSent = false;
  // It is asked once there is a connection, and the statement goes next.
  const sending = {
    throwIfAborted: () => {
      waiting.throwIfAborted();
      isSent = true;
      onSend();
    },
  };
  const limits = { timeout, ...(reads.binding && { binding: reads.binding(timeout) }) };
  const statement = { text, values, command: COMMANDS[query.kind], ...limits, waiting: sending, onUntimed };
  return pool.read({ ...statement, convert: ([row]) => row, counted: !isAnswered(query) }).catch((error: unknown) => {
    throw isSent && !isRefused(error) ? new UnknownOutcomeError(error) : error;
  });
}

/** What is stored is told, or an error that says that it is stored. */
async function told(read: () => unknown, { plan, context }: { readonly plan: Plan; readonly context: WriteContext }): Promise<unknown> {
  try {
    const result = read();
    return await context.finish(
      plan.kind === 'transaction' ? plan.calls.map((_, index) => (index === plan.calls.length - 1 ? result : [])) : result,
    );
  } catch (error) {
    throw new UnknownOutcomeError(error, 'unanswered');
  }
}

/** Whether nothing is written, and there is more to tell than that: whose row it was to be, or what it refers to that is not there. */
function hasNoRow({ query, referred }: FlatWrite, rows: readonly unknown[]): boolean {
  if (!isAnswered(query)) return rows[0] === 0 && referred.length > 0;
  return rows.length === 0 && query.kind !== 'create';
}

function rowOf(texts: readonly unknown[], reader: CompiledRead['reader']): unknown {
  const [row] = reader.read(texts.map((text) => reader.parse(String(text))));
  // A trigger or a rule of the host has put another row in its place, somewhere.
  if (row === null) throw new TypeError('The database returned no row of an INSERT.');
  return row;
}

function countOf([count]: readonly unknown[]): Affected {
  if (typeof count !== 'number') throw new TypeError('The database has not said how many rows it has written.');
  return { count };
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
