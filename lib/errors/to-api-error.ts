import { ApiError } from './api-error.js';
import { ConfigurationError } from './configuration-error.js';
import { dataLayerError } from './data-layer-error.js';
import { ExplainedError } from './explained-error.js';
import { FailedCallError } from './failed-call-error.js';
import { httpError } from './http-error.js';
import { withCallIndex } from './with-call-index.js';

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
  if (error instanceof ExplainedError) return error.explain(toApiError(error.cause, mapError));
  return hostError(error, mapError) ?? dataLayerError(error) ?? httpError(error) ?? unknownError(error);
}

/** A mapping that fails, or gives anything else, answers as an unexpected error rather than not in the style's shape. */
function hostError(error: unknown, mapError: MapError | undefined): ApiError | undefined {
  try {
    const mapped: unknown = mapError?.(error) ?? undefined;
    if (mapped === undefined || mapped instanceof ApiError) return mapped;
    // A promise would end the process if it were to fail with nobody listening.
    Promise.resolve(mapped).catch(() => undefined);
    throw new ConfigurationError('mapError returned something else than an ApiError.', 'Return one, or undefined, and not a promise.', {
      cause: error,
    });
  } catch (thrown) {
    return thrown instanceof ApiError ? thrown : unknownError(thrown);
  }
}

function unknownError(cause: unknown): ApiError {
  return new ApiError('unknown-error', 'An unexpected error occurred.', { cause });
}
