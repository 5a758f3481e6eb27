import type { Executor } from '../executor/executor.js';
import type { Enforcement } from '../executor/plan.js';
import type { Run } from '../executor/run.js';
import { isWrite, type Query } from '../query/query.js';
import type { ResultOf } from '../query/result.js';
import { FoundRows, type Session } from './rows.js';
import { readRuled, ruledPlan } from './ruled-reads.js';
import { writeRuled } from './ruled-writes.js';

/**
 * Wraps the executor of a request so that it reads and changes only rows that the rules of the caller allow. The rules also apply to checks and
 * counts.
 */
export function ruledExecutor(session: Session): Executor {
  const { transaction } = session.executor;
  return {
    // Raw SQL and locks are not wrapped: only the package itself runs SQL here, and plans read a row under the rules before they lock it.
    ...session.executor,
    run: (query) => answer(session, query),
    transaction:
      transaction &&
      (async (work, options) => {
        const observer = session.observer?.begin();
        const result = await transaction(
          (executor) => work(ruledExecutor({ ...session, executor, ...(observer && { observer }) })),
          options,
        );
        observer?.committed();
        return result;
      }),
  };
}

/** Returns the enforcement of a plan under the rules of a session. Each run has a separate cache of found rows. */
export function enforcedBy(session: Omit<Session, 'executor' | 'foundRows'>, run: Pick<Run, 'plan' | 'isWrite'>): Enforcement {
  return {
    sqlPlan: run.isWrite ? undefined : ruledPlan(session.rules, run.plan),
    wrap: (executor) => ruledExecutor({ executor, foundRows: FoundRows.of(run.plan), ...session }),
    writeMode: session.observer ? 'observed' : 'row-by-row',
  };
}

/** Runs a query under the rules. Its result has the same type as without rules. */
async function answer<Q extends Query>(session: Session, query: Q): Promise<ResultOf<Q>>;
async function answer(session: Session, query: Query): Promise<ResultOf<Query>> {
  const result = await (isWrite(query) ? writeRuled(session, query) : readRuled(session, query));
  session.foundRows.remember(query, result);
  return result;
}
