import { type Plan, callsOf } from '../data-client/plan.js';
import { isUnreachable } from '../errors/is-connection-lost.js';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import type { Affected, Row } from '../query/result.js';
import { isAnswered, type Write } from '../query/write.js';
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
    const flat = flatWrite(plan, context);
    const compiled = context.reads.compilerOf(context.storage).compileWrite(flat, mostOf(context.size));
    const sent = await send(compiled, flat, context);
    if (sent.rows[0] === null) return decline('no such row');
    return { results: await told(sent, { plan, flat, compiled, context }) };
  } catch (error) {
    if (error instanceof UnknownOutcomeError || !(error instanceof Declined || isRefused(error))) throw error;
    context.onUndone();
    if (!isLeftToPrisma(error)) throw asPrismaTells(error);
    tell({ query, reason: reasonOf(error) }, context);
    return undefined;
  }
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
  { query, referred }: FlatWrite,
  { reads, timeout, waiting, onUntimed, onSend }: WriteContext,
): Promise<Sent> {
  const { pool } = reads.setup;
  if (!pool) throw new TypeError('There is no pool to write on.');
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
  const command = isAnswered(query) || referred.length > 0 ? SELECT : COMMANDS[query.kind];
  let isFound = false;
  const convert = ([row, found]: readonly (string | null)[]): unknown => {
    isFound = found === 'true';
    return row;
  };
  const statement = {
    text,
    values,
    command,
    writes: true,
    timeout,
    waiting: sending,
    onUntimed,
    convert,
    counted: !isAnswered(query),
    ...(before && { before }),
    ...(reads.binding && { binding: reads.binding(timeout) }),
  };
  const rows = await pool.read(statement).catch((error: unknown) => {
    throw isSent && !isRefused(error) ? new UnknownOutcomeError(error) : error;
  });
  return { rows, isFound };
}

/** What a write is to the server whose rows are looked at before it is done. */
const SELECT = 'SELECT' as const;

interface Telling {
  readonly plan: Plan;
  readonly flat: FlatWrite;
  readonly compiled: CompiledRead;
  readonly context: WriteContext;
}

/** What is stored is told, or an error that says that it is stored. */
async function told({ rows, isFound }: Sent, { plan, flat, compiled, context }: Telling): Promise<unknown> {
  try {
    const result = isAnswered(flat.query) ? foundOf(rows, compiled.reader) : countOf(rows);
    const [checks, looked] = [callsOf(plan).slice(0, -1), isFound ? keyOf(flat.query) : null];
    return await context.finish(
      plan.kind === 'transaction' ? [...checks.map((call) => (call === flat.look ? looked : [])), result] : result,
    );
  } catch (error) {
    throw new UnknownOutcomeError(error, 'unanswered');
  }
}

/** What is known of the row that an upsert has found. */
function keyOf(query: Write): Row | null {
  if (query.kind !== 'upsert') return null;
  const [{ key, values }] = query.where.keys;
  return Object.fromEntries(key.fields.map((name, index) => [name, values[index]]));
}

/** The row that it answers, or the list of its rows. */
function foundOf(texts: readonly unknown[], reader: CompiledRead['reader']): unknown {
  const [found] = reader.read(texts.map((text) => reader.parse(String(text))));
  if (found === null) throw new TypeError('The database returned no row of an INSERT.');
  return found;
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
