import { toApiError } from '../errors/to-api-error.js';
import type { RunTally } from '../executor/run-tally.js';
import type { RpcCall } from '../rpc/parse-rpc-call.js';
import type { Telemetry } from '../telemetry/telemetry.js';

/** Runs a call of the application's own code within its own span. */
export async function traceCall(
  telemetry: Telemetry,
  { resource, operation }: RpcCall,
  work: (tally: RunTally | undefined) => Promise<unknown>,
): Promise<unknown> {
  const traced = { style: 'own-code', model: resource.model, action: operation.actions[0] };
  const trace = telemetry.begin(traced);
  try {
    return await trace.within(() => work(trace.tally));
  } catch (error) {
    trace.fail(toApiError(error), error);
    throw error;
  } finally {
    trace.end(traced);
  }
}
