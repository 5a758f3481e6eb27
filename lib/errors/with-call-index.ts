import { ApiError } from './api-error.js';

/**
 * The same error, about one operation of a batch or call of a transaction.
 *
 * @param callIndex its position, from 0
 */
export function withCallIndex(error: ApiError, callIndex: number): ApiError {
  const [{ code, detail, source }, ...others] = error.problems;
  const { orm, rejectedByPolicy, reason, headers, http, cause } = error;
  return new ApiError(code, detail, {
    callIndex,
    others,
    rejectedByPolicy,
    headers,
    cause,
    ...(source && { source }),
    ...(orm && { orm }),
    ...(reason !== undefined && { reason }),
    ...(http && { http }),
  });
}
