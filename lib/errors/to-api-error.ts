import { ApiError } from './api-error.js';
import { dataLayerError } from './data-layer-error.js';
import { FailedCallError } from './failed-call-error.js';
import { httpError } from './http-error.js';

/** The host's own mapping (option `mapError`). */
export type MapError = (error: unknown) => ApiError | undefined;

/**
 * The one mapper: anything thrown, in either style, becomes an {@link ApiError}. What nobody knows is `unknown-error`, with the thrown
 * value as its cause and nothing of it in its text.
 *
 * @param mapError asked first, for what is not an ApiError already
 */
export function toApiError(error: unknown, mapError?: MapError): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof FailedCallError) return withCallIndex(toApiError(error.cause, mapError), error.index);
  return mapError?.(error) ?? dataLayerError(error) ?? httpError(error) ?? unknownError(error);
}

function unknownError(cause: unknown): ApiError {
  return new ApiError('unknown-error', 'An unexpected error occurred.', { cause });
}

function withCallIndex(error: ApiError, callIndex: number): ApiError {
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
