import type { Executor } from '../executor/executor.js';
import { isAlwaysQuick, isUsuallyQuick } from '../executor/cost-class.js';
import { type CallPlan, type CollectionPlan, type DataCall, type Plan, queriesOf } from '../executor/plan.js';
import type { Run } from '../executor/run.js';
import { requireExpected } from '../executor/run-plan.js';
import { transact } from '../executor/transactions.js';
import type { Query } from '../query/query.js';
import { Declined } from './declined.js';
import { TooManyBytesError } from './pipeline.js';
import type { CompiledQuery } from './plan-compiler.js';
import type { TimedStatement } from './pool-reads.js';
import type { ClientSql } from './client-sql.js';

/**
 * Executes a plan of reads as one SQL statement.
 *
 * @param plan the plan of the run, with the rules of its caller among its conditions
 * @throws Declined if Prisma must execute the plan
 * @throws ApiError if a call does not meet its expectation
 */
export async function executeRead(run: Run, plan: Plan, clientSql: ClientSql): Promise<unknown> {
  if (plan.kind === 'transaction') throw new Declined('a read in a batch', queriesOf(plan));
  const first: DataCall = plan.kind === 'collection' ? plan.rows : plan.call;
  if (!COMPILED.has(first.query.kind)) throw new Declined('an operation that has no form in SQL', queriesOf(plan));
  const compiled = clientSql.compilerOf(run.storage).compile(plan);
  if ('reason' in compiled) throw new Declined(compiled.reason, [compiled.query]);
  try {
    const [result = null, total] = compiled.reader.read(
      await sendRead(compiled, costClassOf(plan, compiled, run, clientSql), run, clientSql),
    );
    requireExpected(first, result);
    return plan.kind === 'call' ? result : { rows: result, total };
  } catch (error) {
    throw error instanceof TooManyBytesError ? run.size.tooLarge() : error;
  }
}

/** The kinds of reads that compile to SQL. Prisma executes all other plans. */
const COMPILED: ReadonlySet<Query['kind']> = new Set(['find-unique', 'find', 'count'] as const);

/** The cost class of a plan, and whether it may share a round trip. */
type CostClass = Pick<TimedStatement, 'isAlwaysQuick' | 'isUsuallyQuick' | 'mayShareTrip' | 'pageAndTotal'>;

function costClassOf(
  plan: CallPlan | CollectionPlan,
  { pageAndTotal }: CompiledQuery,
  { sharesReads }: Run,
  { setup }: ClientSql,
): CostClass {
  if (isAlwaysQuick(plan)) return { isAlwaysQuick: true, mayShareTrip: sharesReads };
  if (!sharesReads) return {};
  const [page, total] = setup.pool ? (pageAndTotal?.() ?? []) : [];
  if (page && total && plan.kind === 'collection') {
    return {
      mayShareTrip: sharesReads,
      pageAndTotal: { page: { isUsuallyQuick: isUsuallyQuick({ kind: 'call', call: plan.rows }), ...page }, total },
    };
  }
  return { mayShareTrip: sharesReads, isUsuallyQuick: isUsuallyQuick(plan) };
}

async function sendRead(
  { text, values, reader }: CompiledQuery,
  costClass: CostClass,
  run: Run,
  { setup, binding }: ClientSql,
): Promise<readonly (readonly unknown[])[]> {
  const { timeout, onUntimed, deadline, size, tally } = run;
  // The only column is a JSON list as text.
  const convert = (fields: readonly (string | null)[]): readonly unknown[] => reader.parse(String(fields[0]));
  if (setup.pool) {
    return (await setup.pool.read({
      text,
      values,
      timeout,
      waiting: deadline,
      onUntimed,
      tally,
      convert,
      maxBytes: ROWS_PER_RESPONSE * size.bytes,
      ...costClass,
      ...(binding && { binding: binding(timeout) }),
    })) as readonly (readonly unknown[])[];
  }
  const query = async ({ sql }: Executor): Promise<readonly (readonly unknown[])[]> => {
    if (!sql) throw new TypeError('The data client has no $queryRawUnsafe().');
    if (tally) tally.statements++;
    const rows = await sql(text, values);
    return rows.map(({ r }) => reader.parse(String(r)));
  };
  const { executor, options } = run.createPrismaRun(run);
  return costClass.isAlwaysQuick || options.wrapsReads !== true ? query(executor) : transact(executor, query, options);
}

/**
 * The maximum number of bytes of rows for each byte of a response. Because PostgreSQL writes JSON with spaces, and a REST response contains each row
 * once, rows may be larger than the response.
 */
export const ROWS_PER_RESPONSE = 2;
