import { callClient } from './call-client.js';
import type { DataClient } from './data-client.js';
import { canLoadLists, loadLists, NOT_LOADED } from './load-lists.js';
import type { AtMost, DataCall, Probe } from './plan.js';
import { probeRows } from './probe-rows.js';
import { runApart } from './run-apart.js';

/**
 * Makes a call that could load far too many related rows, without loading them. If possible, each list is read by a statement that stops at the
 * limit; otherwise the rows are counted first. The response of a write is then read by a separate call, so a write must run in a
 * transaction.
 *
 * @throws ApiError when there are too many
 */
export function runProbed(client: DataClient, call: DataCall, limit: AtMost & { readonly probe: Probe }): Promise<unknown> {
  const read = async (open: DataClient, reading: DataCall): Promise<unknown> => {
    const result = canLoadLists(reading, limit) ? await loadLists(open, reading, limit) : NOT_LOADED;
    if (result !== NOT_LOADED) return result;
    await probeRows(open, reading, limit);
    return callClient(open, reading);
  };
  return call.operation.startsWith('find') ? read(client, call) : runApart(client, call, { key: limit.probe.key, read });
}
