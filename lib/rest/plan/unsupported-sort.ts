import { ApiError } from '../../errors/api-error.js';
import { CURSOR_PROBLEMS } from '../cursor-profile.js';

/** Refuses an order that no cursor can stand in (CP-02). */
export function unsupportedSort(reason: string): ApiError {
  const detail = `Pages of cursors cannot have this order: ${reason}. Sort by other fields, or send page[number] or page[offset].`;
  return new ApiError('invalid-sort', detail, { source: { parameter: 'sort' }, type: CURSOR_PROBLEMS.unsupportedSort });
}
