import { type Plan, queriesOf } from '../executor/plan.js';
import type { Run } from '../executor/run.js';
import { driverErrorOf } from '../errors/driver-error.js';
import { ApiError } from '../errors/api-error.js';
import { FailedCallError } from '../errors/failed-call-error.js';
import { isConnectionLost, isUnreachable } from '../errors/is-connection-lost.js';
import { memberOf } from '../errors/member-of.js';
import { isSqlState } from '../errors/sql-state.js';
import { UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import { operationOf } from '../prisma/print-query.js';
import { isWrite, type Query } from '../query/query.js';
import { Declined } from './declined.js';
import { TooManyBytesError } from './pipeline.js';
import { isRefusedByServer } from './pool-connection.js';
import { lostSqlOf, type ClientSql, sqlOf } from './client-sql.js';

/** Returns the SQL of a run's client. Reports the plan as declined if an extension or a second binding has removed SQL from the client. */
export function sqlFor({ client, isWrite: writes }: Run, plan: Plan): ClientSql | undefined {
  const own = sqlOf(client);
  const lost = own ? undefined : lostSqlOf(client);
  if (lost && (lost.setup.writes || !writes))
    report(reportedQueries(plan), `a client that was extended, bound again or wrapped after ${lost.setup.maker}`, lost);
  return own;
}

/**
 * Reports to `onDecline` that Prisma executes a plan, because SQL has declined it or failed.
 *
 * @throws the error, unless nothing is written and Prisma should execute the plan
 */
export function fallBack(error: unknown, { plan, isWrite: writes, deadline }: Run, clientSql: ClientSql): void {
  const cause = error instanceof FailedCallError ? error.cause : error;
  if (writes) {
    if (error instanceof UnknownOutcomeError || !isUndone(cause)) throw error;
    deadline.cancelCommit();
  }
  if (!isLeftToPrisma(cause)) {
    const named = toPrismaError(cause);
    throw error instanceof FailedCallError ? new FailedCallError(error.index, named) : named;
  }
  const queries = cause instanceof Declined ? cause.queries : undefined;
  report(queries ?? [mainQuery(plan)], hasGivenUp(cause) ? cause.message : 'PostgreSQL refused the statement', clientSql);
}

/** Returns the writes of a plan. For a plan without writes, returns all its queries. */
export function reportedQueries(plan: Plan): readonly Query[] {
  const queries = queriesOf(plan);
  const writes = queries.filter(isWrite);
  return writes.length > 0 ? writes : queries;
}

function mainQuery(plan: Plan): Query | undefined {
  const queries = queriesOf(plan);
  return queries.findLast(isWrite) ?? queries[0];
}

function report(queries: readonly (Query | undefined)[], reason: string, { setup }: ClientSql): void {
  for (const query of queries) {
    if (query) setup.onDecline({ model: query.model.model, operation: operationOf(query), reason });
  }
}

/** Whether the SQL compiler or the reader of results has declined, as opposed to a database error. */
function hasGivenUp(error: unknown): error is Declined | TooManyBytesError {
  return error instanceof Declined || error instanceof TooManyBytesError;
}

/** Whether nothing is written, because SQL has declined the query or the database has rejected it. */
function isUndone(error: unknown): boolean {
  return hasGivenUp(error) || isRefused(error);
}

/**
 * Whether a statement was certainly not executed, because the server was unreachable or has rejected it. After an error that ends the connection,
 * this is unknown.
 */
export function isRefused(error: unknown): boolean {
  return isUnreachable(error) || isRefusedByServer(error);
}

/**
 * Whether Prisma should execute the plan after this error. Prisma has specific error messages for most PostgreSQL errors.
 *
 * Some statements succeed only through Prisma: a policy that writes fails in a transaction that is `READ ONLY`. After a timeout or a lost connection,
 * a second attempt would take as long again.
 */
function isLeftToPrisma(error: unknown): boolean {
  if (hasGivenUp(error)) return true;
  if (error instanceof ApiError || isConnectionLost(error)) return false;
  const code = memberOf(error, 'code');
  // Prisma reports an unreachable server at once, with a specific code.
  if (isUnreachable(error)) return typeof code === 'string' && !code.startsWith('P');
  const state = sqlStateOf(error);
  return state !== undefined && !/^(?:08|57)/.test(state);
}

function sqlStateOf(error: unknown): string | undefined {
  const state = memberOf(driverErrorOf(error), 'originalCode') ?? memberOf(error, 'code');
  return isSqlState(state) ? state : undefined;
}

/** Returns a PostgreSQL error with the code of Prisma for errors that Prisma does not map, for example a timeout. */
function toPrismaError(error: unknown): unknown {
  const state = memberOf(error, 'code');
  if (sqlStateOf(error) === undefined || state !== sqlStateOf(error)) return error;
  const named = new Error(String(memberOf(error, 'message')), { cause: error });
  const meta = { driverAdapterError: { cause: { originalCode: state } } };
  return Object.assign(named, { name: 'PrismaClientKnownRequestError', code: 'P2039', meta });
}
