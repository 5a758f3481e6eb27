import { ApiError, type ApiErrorOptions } from './api-error.js';

/**
 * Copies an error and replaces the given options.
 *
 * @example
 * changeError(error, { callIndex: 2 });
 */
export function changeError(error: ApiError, changes: ApiErrorOptions): ApiError {
  const [{ code, detail, ...place }, ...others] = error.problems;
  const { orm, rejectedByPolicy, reason, headers, http, callIndex, cause } = error;
  return new ApiError(code, detail, {
    others,
    rejectedByPolicy,
    headers,
    cause,
    ...place,
    ...(orm && { orm }),
    ...(reason !== undefined && { reason }),
    ...(http && { http }),
    ...(callIndex !== undefined && { callIndex }),
    ...changes,
  });
}
