import { toApiError } from './to-api-error.js';

/** Whether a write has found no row as it requires. Which of the reasons for that is true, a look at the row says. */
export function isUnmet(error: unknown): boolean {
  const { problems, orm } = toApiError(error);
  const [{ code }] = problems;
  return code === 'precondition-failed' || (code === 'not-found' && orm !== undefined);
}
