import { ApiError } from '../errors/api-error.js';
import { isConnectionLost, isUnreachable } from '../errors/is-connection-lost.js';
import { memberOf } from '../errors/member-of.js';
import type { DataClient } from '../data-client/data-client.js';
import { isQuick } from '../data-client/is-quick.js';
import type { DataCall, Plan, PlanResults } from '../data-client/plan.js';
import { problemsOf, type RunRules } from '../data-client/run-plan.js';
import { transactionsOf } from '../data-client/transactions.js';
import type { Storage } from '../model/storage/storage.js';
import type { CompiledRead, DeclinedRead } from './compile-plan.js';
import { Declined } from './declined.js';
import type { SqlReads } from './sql-reads.js';

/** What a plan is answered with, and its time limit. */
export interface SqlContext {
  readonly reads: SqlReads;

  readonly storage: Storage;
  /** Milliseconds that a statement may take; undefined without a limit. */
  readonly timeout: number | undefined;
  /** Called if reads go through Prisma's client. */
  readonly timed: () => TimedReads;
}

/** A client whose statements have a time limit, or how to set one in a transaction. */
export interface TimedReads {
  readonly client: DataClient;
  readonly rules: RunRules;
}

/**
 * Answers a plan that only reads by one SQL statement.
 *
 * @returns undefined if Prisma must answer it
 * @throws ApiError when a call does not meet its expectation, and the errors of the database that Prisma would meet, too
 */
export async function answerPlan<P extends Plan>(plan: P, context: SqlContext): Promise<Answered<PlanResults[P['kind']]> | undefined>;
export async function answerPlan(plan: Plan, context: SqlContext): Promise<Answered<unknown> | undefined> {
  if (plan.kind === 'transaction') return undefined;
  const first = plan.kind === 'collection' ? plan.rows : plan.call;
  if (!COMPILED.test(first.operation)) return undefined;
  const compiled = context.reads.compilerOf(context.storage).compile(plan);
  if ('reason' in compiled) {
    tell(compiled, context);
    return undefined;
  }
  try {
    const [result, total] = compiled.read(await run(compiled, plan.kind === 'call' && isQuick(plan.call), context));
    requireExpected(first, result);
    return { result: plan.kind === 'call' ? result : { rows: result, total } };
  } catch (error) {
    if (!isLeftToPrisma(error)) throw error;
    tell({ call: first, reason: reasonOf(error) }, context);
    return undefined;
  }
}

export interface Answered<Result> {
  readonly result: Result;
}

/** Only reads of rows are compiled; Prisma answers all other plans. */
const COMPILED = /^(?:find|count)/;

function tell({ call, reason }: DeclinedRead, { reads, storage }: SqlContext): void {
  reads.setup.onDecline({ model: reads.compilerOf(storage).modelOf(call), operation: call.operation, reason });
}

function reasonOf(error: unknown): string {
  return error instanceof Declined ? error.message : 'PostgreSQL refused the statement';
}

function requireExpected({ expect }: DataCall, result: unknown): void {
  const problems = expect ? problemsOf(expect, result, []) : [];
  if (problems.length > 0) throw ApiError.of(problems);
}

/**
 * Whether Prisma should answer after this error. If PostgreSQL refuses a statement, Prisma explains it in its own words; not after a timeout or a
 * lost connection.
 */
function isLeftToPrisma(error: unknown): boolean {
  if (error instanceof Declined) return true;
  if (error instanceof ApiError || isConnectionLost(error) || isUnreachable(error)) return false;
  const adapterError = memberOf(memberOf(error, 'meta'), 'driverAdapterError');
  const state = memberOf(memberOf(adapterError, 'cause'), 'originalCode') ?? memberOf(error, 'code');
  return typeof state === 'string' && /^(?:0A|2[12]|42)/.test(state);
}

async function run(compiled: CompiledRead, isShort: boolean, { reads, timeout, timed }: SqlContext): Promise<readonly unknown[]> {
  const { text, values } = compiled;
  const { setup, binding } = reads;
  if (setup.pool)
    return setup.pool.read({ text, values, timeout: isShort ? undefined : timeout, ...(binding && { binding: binding(timeout) }) });
  const query = async (open: DataClient): Promise<readonly unknown[]> => {
    const rows = await (open as RawClient).$queryRawUnsafe(text, ...values);
    return Object.values(rows[0] ?? {});
  };
  const { client, rules } = timed();
  return isShort || rules.wrapsReads !== true ? query(client) : transactionsOf(client, rules)(query);
}

interface RawClient {
  readonly $queryRawUnsafe: (sql: string, ...values: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}
