import type { ApiError } from './api-error.js';
import { changeError } from './change-error.js';

/**
 * Copies an error and adds the position of the operation of a batch, or of the call of a transaction.
 *
 * @param callIndex its position, from 0
 */
export function withCallIndex(error: ApiError, callIndex: number): ApiError {
  return changeError(error, { callIndex });
}
