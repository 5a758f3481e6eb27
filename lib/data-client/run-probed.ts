import type { RowsRead } from '../query/read.js';
import type { ResultOf } from '../query/result.js';
import type { Executor } from './executor.js';
import { canLoadLists, loadLists, NOT_LOADED } from './load-lists.js';
import type { AtMost } from './plan.js';
import { probeRows } from './probe-rows.js';

/**
 * Makes a read that could load far too many related rows, without loading them. If possible, each list is read by a statement that stops at the
 * limit; otherwise the rows are counted first.
 *
 * @throws ApiError when there are too many
 */
export async function runProbed<Asked extends RowsRead>(executor: Executor, read: Asked, limit: AtMost): Promise<ResultOf<Asked>> {
  const result = canLoadLists(read, limit) ? await loadLists(executor, read, limit) : NOT_LOADED;
  if (result !== NOT_LOADED) return result;
  await probeRows(executor, read, limit);
  return executor.run(read);
}
