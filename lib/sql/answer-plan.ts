import { toldByDriver } from '../errors/adapter-error.js';
import { ApiError } from '../errors/api-error.js';
import { isConnectionLost, isUnreachable } from '../errors/is-connection-lost.js';
import { memberOf } from '../errors/member-of.js';
import { isSqlState } from '../errors/sql-state.js';
import type { DataClient } from '../data-client/data-client.js';
import type { Executor } from '../data-client/executor.js';
import { isQuick, isUsuallyQuick } from '../data-client/is-quick.js';
import { type CallPlan, callsOf, type CollectionPlan, type DataCall, type Plan } from '../data-client/plan.js';
import { requireExpected, type RunRules } from '../data-client/run-plan.js';
import { transactionsOf } from '../data-client/transactions.js';
import type { Waiting } from '../data-client/within.js';
import type { Storage } from '../model/storage/storage.js';
import { operationOf } from '../prisma/print-query.js';
import { isWrite, type Query } from '../query/query.js';
import { Declined } from './declined.js';
import { TooManyBytesError } from './pipeline.js';
import type { CompiledRead, DeclinedRead } from './plan-compiler.js';
import type { TimedStatement } from './pool-reads.js';
import { lostSqlReadsOf, type SqlReads, sqlReadsOf } from './sql-reads.js';

/** What a plan is answered with, and its time limit. */
export interface SqlContext {
  readonly reads: SqlReads;
  readonly storage: Storage;
  /** Milliseconds that a statement may take; undefined without a limit. */
  readonly timeout: number | undefined;
  /** Called where a connection of the pool does not keep to that by itself. */
  readonly onUntimed: () => void;
  /** Whether the answer is still waited for. */
  readonly waiting: Waiting;
  /** Whether the read may share a round trip, and its total, with other requests. */
  readonly isShared: boolean;
  /** Called if reads go through Prisma's client. */
  readonly timed: () => TimedReads;
  /** The size of answers. */
  readonly size: AnswerSize;
}

/** The limit for the size of an answer. */
export interface AnswerSize {
  readonly bytes: number;
  /** The error of an answer that is larger. */
  readonly tooLarge: () => ApiError;
}

/** What makes statements with a time limit, or how to set one in a transaction. */
export interface TimedReads {
  readonly executor: Executor;
  readonly rules: RunRules;
}

/**
 * Answers a plan that only reads by one SQL statement.
 *
 * @returns undefined if Prisma must answer it
 * @throws ApiError when a call does not meet its expectation, and the errors of the database that Prisma would meet, too
 */
export async function answerPlan(plan: Plan, context: SqlContext): Promise<Answered | undefined> {
  if (plan.kind === 'transaction') {
    tellAll(plan, 'a read in a batch', context);
    return undefined;
  }
  const first: DataCall = plan.kind === 'collection' ? plan.rows : plan.call;
  if (!COMPILED.has(first.query.kind)) {
    tellAll(plan, 'an operation that has no form in SQL', context);
    return undefined;
  }
  const compiled = context.reads.compilerOf(context.storage).compile(plan);
  if ('reason' in compiled) {
    tell(compiled, context);
    return undefined;
  }
  try {
    const [result = null, total] = compiled.reader.read(await run(compiled, paceOf(plan, compiled, context), context));
    requireExpected(first, result);
    return { results: plan.kind === 'call' ? result : { rows: result, total } };
  } catch (error) {
    if (error instanceof TooManyBytesError) throw context.size.tooLarge();
    if (!isLeftToPrisma(error)) throw asPrismaTells(error);
    tell({ query: first.query, reason: reasonOf(error) }, context);
    return undefined;
  }
}

export interface Answered {
  readonly results: unknown;
}

/** Only reads of rows are compiled; Prisma answers all other plans. */
const COMPILED: ReadonlySet<Query['kind']> = new Set(['find-unique', 'find', 'count'] as const);

/** Reports each call of a plan as declined: of one that writes, its writes. */
export function tellAll(plan: Plan, reason: string, { reads }: Pick<SqlContext, 'reads'>): void {
  const queries = callsOf(plan).map(({ query }) => query);
  const writes = queries.filter(isWrite);
  for (const query of writes.length > 0 ? writes : queries) tell({ query, reason }, { reads });
}

/** Returns the SQL reads of a client. Reports the plan as declined if the client was made of one with SQL reads, and has none. */
export function sqlReadsFor(client: DataClient, plan: Plan): SqlReads | undefined {
  const own = sqlReadsOf(client);
  const lost = own ? undefined : lostSqlReadsOf(client);
  if (lost && (lost.setup.writes || !callsOf(plan).some(({ query }) => isWrite(query)))) tellAll(plan, LOST, { reads: lost });
  return own;
}

const LOST = 'a client that was extended, bound again or wrapped after withSqlReads';

export function tell({ query, reason }: DeclinedRead, { reads }: Pick<SqlContext, 'reads'>): void {
  reads.setup.onDecline({ model: query.model.model, operation: operationOf(query), reason });
}

export function reasonOf(error: unknown): string {
  return hasGivenUp(error) ? error.message : 'PostgreSQL refused the statement';
}

/** Whether it is SQL that does no more, and not the database. */
export function hasGivenUp(error: unknown): error is Declined | TooManyBytesError {
  return error instanceof Declined || error instanceof TooManyBytesError;
}

/**
 * Whether Prisma should answer after this error. What PostgreSQL refuses, Prisma explains in its own words, or it is not refused there: a policy
 * that writes may not do so in a transaction that only reads. Not after a timeout or a lost connection, which would take as long again.
 */
export function isLeftToPrisma(error: unknown): boolean {
  if (hasGivenUp(error)) return true;
  if (error instanceof ApiError || isConnectionLost(error)) return false;
  const code = memberOf(error, 'code');
  // Told at once, and by Prisma under a code of its own.
  if (isUnreachable(error)) return typeof code === 'string' && !code.startsWith('P');
  const state = sqlStateOf(error);
  return state !== undefined && !/^(?:08|57)/.test(state);
}

function sqlStateOf(error: unknown): string | undefined {
  const state = memberOf(toldByDriver(error), 'originalCode') ?? memberOf(error, 'code');
  return isSqlState(state) ? state : undefined;
}

/** An error of PostgreSQL under the code that Prisma gives to those that it does not know, e.g. a timeout. */
export function asPrismaTells(error: unknown): unknown {
  const state = memberOf(error, 'code');
  if (sqlStateOf(error) === undefined || state !== sqlStateOf(error)) return error;
  const told = new Error(String(memberOf(error, 'message')), { cause: error });
  const meta = { driverAdapterError: { cause: { originalCode: state } } };
  return Object.assign(told, { name: 'PrismaClientKnownRequestError', code: 'P2039', meta });
}

/** How long a plan may take. */
type Pace = Pick<TimedStatement, 'isQuick' | 'isUsuallyQuick' | 'isShared' | 'apart'>;

function paceOf(plan: CallPlan | CollectionPlan, { apart }: CompiledRead, { reads: { setup }, isShared }: SqlContext): Pace {
  if (isQuick(plan)) return { isQuick: true, isShared };
  if (!isShared) return {};
  const [page, total] = setup.pool ? (apart?.() ?? []) : [];
  if (page && total && plan.kind === 'collection') {
    return { isShared, apart: { page: { isUsuallyQuick: isUsuallyQuick({ kind: 'call', call: plan.rows }), ...page }, total } };
  }
  return { isShared, isUsuallyQuick: isUsuallyQuick(plan) };
}

async function run(
  compiled: CompiledRead,
  pace: Pace,
  { reads, timeout, timed, size, waiting, onUntimed }: SqlContext,
): Promise<readonly (readonly unknown[])[]> {
  const { text, values, reader } = compiled;
  const { setup, binding } = reads;
  // Of columns of the type text.
  const convert = (fields: readonly (string | null)[]): readonly unknown[] => reader.parse(String(fields[0]));
  if (setup.pool) {
    return (await setup.pool.read({
      text,
      values,
      timeout,
      waiting,
      onUntimed,
      convert,
      maxBytes: ROWS_PER_ANSWER * size.bytes,
      ...pace,
      ...(binding && { binding: binding(timeout) }),
    })) as readonly (readonly unknown[])[];
  }
  const query = async ({ sql }: Executor): Promise<readonly (readonly unknown[])[]> => {
    if (!sql) throw new TypeError('The data client has no $queryRawUnsafe().');
    const rows = await sql(text, values);
    return rows.map(({ r }) => reader.parse(String(r)));
  };
  const { executor, rules } = timed();
  return pace.isQuick || rules.wrapsReads !== true ? query(executor) : transactionsOf(executor, rules)(query);
}

/** How many bytes of rows there may be for each byte of an answer: Json is sent with spaces, and an answer in REST holds a row once. */
export const ROWS_PER_ANSWER = 2;
