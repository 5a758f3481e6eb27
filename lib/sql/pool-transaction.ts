import type { SqlStatement, Step, StepAnswer } from './pipeline.js';

/** Sends statements together. Returns the results of those that return rows. */
export type Send = (steps: readonly Step[]) => Promise<readonly StepAnswer[]>;

/** The result of the work of a transaction, or the error that the work has thrown. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/**
 * Does work in a transaction of a connection, and commits it afterwards. An error of the work itself is returned as a value, because the connection
 * can be used again after the rollback.
 *
 * @param settings statements that begin the transaction; they are sent with the first statements of the work
 * @throws the error of the server or the connection
 */
export async function transactOn<Result>(
  run: Send,
  settings: readonly SqlStatement[],
  work: (send: Send) => Promise<Result>,
): Promise<Outcome<Result>> {
  const begin = [BEGIN, ...settings.map(settingStep)];
  const state = { isBegun: false, hasFailed: false };
  const send: Send = async (steps) => {
    const all = state.isBegun ? steps : [...begin, ...steps];
    state.isBegun = true;
    try {
      return await run(all);
    } catch (error) {
      state.hasFailed = true;
      throw error;
    }
  };
  let result: Result;
  try {
    result = await work(send);
  } catch (error) {
    if (state.hasFailed) throw error;
    if (state.isBegun) await run([ROLLBACK]);
    return { error };
  }
  if (state.isBegun) await run([COMMIT]);
  return { result };
}

/** Returns the steps of a transaction with one statement. Statements before it set local settings, or check a condition. */
export function within(settings: readonly SqlStatement[], step: Step, writes: boolean): readonly Step[] {
  return [writes ? BEGIN : BEGIN_READ, ...settings.map(settingStep), step, COMMIT];
}

function settingStep(setting: SqlStatement): Step {
  return { ...setting, command: 'SELECT' };
}

const BEGIN_READ: Step = { text: 'BEGIN READ ONLY', values: [], command: 'BEGIN' };
const BEGIN: Step = { text: 'BEGIN', values: [], command: 'BEGIN' };
const COMMIT: Step = { text: 'COMMIT', values: [], command: 'COMMIT' };
const ROLLBACK: Step = { text: 'ROLLBACK', values: [], command: 'ROLLBACK' };
