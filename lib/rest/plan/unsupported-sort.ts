import { ApiError } from '../../errors/api-error.js';
import { CURSOR_PROBLEMS } from '../cursor-profile.js';

/** Refuses an order for a reason. */
export type Refuse = (reason: string) => ApiError;

/** Refuses an order that no cursor can stand in (CP-02). */
export function unsupportedSort(reason: string, parameter: string): ApiError {
  const detail = `Pages of cursors cannot have this order: ${reason}. Sort by other fields, or ask for pages by offset.`;
  return new ApiError('invalid-sort', detail, { source: { parameter }, type: CURSOR_PROBLEMS.unsupportedSort });
}
