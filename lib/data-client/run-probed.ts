import { callClient } from './call-client.js';
import type { DataClient } from './data-client.js';
import { canLoadLists, loadLists, NOT_LOADED } from './load-lists.js';
import type { AtMost, DataCall, Probe } from './plan.js';
import { probeRows } from './probe-rows.js';
import { runApart } from './run-apart.js';

/**
 * Makes a call whose rows could bring far too many along, without loading these: where it can be, each list is read by a statement that stops in
 * time; elsewhere it is looked at first how many rows there are. What a write answers is then read apart from it, so that the caller has to be
 * in a transaction for it.
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
