import type { SqlStatement, Step, StepAnswer } from './pipeline.js';

/** Sends statements together. Returns the answers of those whose rows are asked for. */
export type Send = (steps: readonly Step[]) => Promise<readonly StepAnswer[]>;

/** What is done in a transaction, as far as it has come. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/**
 * Does work in a transaction of a connection, and commits it once it is done. What the work throws by itself comes back as a value: the connection is
 * as good as before then.
 *
 * @param settings what begins the transaction; they travel with what the work sends first
 * @throws what the server or the connection fails with
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

/** The steps of one statement in a transaction, after the statements that set what holds in it, or ask for it. The settings end with the transaction. */
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
