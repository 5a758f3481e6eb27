import type { DataCall } from '../data-client/plan.js';
import type { ApiRequest } from '../platform/api-request.js';
import { type Preferred, preferenceOf } from '../platform/preferences.js';
import type { RpcCall } from './parse-rpc-call.js';

/**
 * Reads `Prefer: max-affected=n, handling=strict` of a write of many records (PF-04). Without `handling=strict` it is no promise, and ignored.
 *
 * @param call absent for a batch
 * @throws ApiError `unsupported-header`
 */
export function preferAffected(request: ApiRequest, call?: RpcCall): Preferred<number> | undefined {
  const isOffered = call?.operation.result === 'affected' && !call.operation.actions.some((action) => action === 'create');
  const read = (value: string, isStrict: boolean): number | undefined => (isStrict && /^\d{1,15}$/.test(value) ? Number(value) : undefined);
  return preferenceOf(request, isOffered ? { name: 'max-affected', read } : undefined);
}

/** The write, which is undone where it changes more records than its request says. */
export function affectingAtMost(planned: DataCall, rows: number, { resource, operation }: RpcCall): DataCall {
  const detail = `${resource.delegate}.${operation.name} would change more than ${rows} records (max-affected), and has changed none.`;
  const problem = { code: 'limit-exceeded', detail, source: { header: 'Prefer' } } as const;
  return { ...planned, expect: { kind: 'affects', most: rows, problem } };
}
