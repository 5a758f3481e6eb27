import type { Executor } from '../executor/executor.js';
import { isWrite, type Query } from '../query/query.js';
import type { ResultOf } from '../query/result.js';
import type { Session } from './rows.js';
import { readRuled } from './ruled-reads.js';
import { writeRuled } from './ruled-writes.js';

/**
 * The data of one request, as an executor that sees and changes no more than the rules of its caller allow. Whatever asks it is ruled, checks and
 * counts among it.
 */
export function ruledExecutor(session: Session): Executor {
  const { transaction, sql, lock, client } = session.host;
  return {
    run: (query) => answer(session, query),
    ...(transaction && {
      transaction: async (work, options) => {
        const told = session.told?.begin();
        const result = await transaction((open) => work(ruledExecutor({ ...session, host: open, ...(told && { told }) })), options);
        told?.committed();
        return result;
      },
    }),
    ...(client && { client }),
    // Only what the package says itself, which is the time that a statement may take.
    ...(sql && { sql }),
    // A lock returns nothing of its row, and a plan reads the row before under the rules.
    ...(lock && { lock }),
  };
}

/** Each kind of query yields under the rules what it yields without. */
async function answer<Asked extends Query>(session: Session, query: Asked): Promise<ResultOf<Asked>>;
async function answer(session: Session, query: Query): Promise<ResultOf<Query>> {
  const result = await (isWrite(query) ? writeRuled(session, query) : readRuled(session, query));
  session.known.remember(query, result);
  return result;
}
