import { toApiError } from './to-api-error.js';

/** Whether a write found no row that meets its conditions. The caller reads the row to find out which condition failed. */
export function isConditionUnmet(error: unknown): boolean {
  const { problems, orm } = toApiError(error);
  const [{ code }] = problems;
  return code === 'precondition-failed' || (code === 'not-found' && orm !== undefined);
}
