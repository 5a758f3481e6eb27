import type { ApiError } from './api-error.js';
import { changeError } from './change-error.js';

/**
 * The same error, about one operation of a batch or call of a transaction.
 *
 * @param callIndex its position, from 0
 */
export function withCallIndex(error: ApiError, callIndex: number): ApiError {
  return changeError(error, { callIndex });
}
