import { ApiError } from './api-error.js';
import { ConfigurationError } from './configuration-error.js';
import { dataLayerError } from './data-layer-error.js';
import { ExplainedError } from './explained-error.js';
import { FailedCallError } from './failed-call-error.js';
import { httpError } from './http-error.js';
import { AccessDeniedError } from './access-denied-error.js';
import { UnreadableResultError } from './unreadable-result-error.js';
import { type Doubt, UnknownOutcomeError } from './unknown-outcome-error.js';
import { withCallIndex } from './with-call-index.js';

/** The host's own mapping (option `mapError`). */
export type MapError = (error: unknown) => ApiError | undefined;

/**
 * The one mapper: anything thrown, in either style, becomes an {@link ApiError}. Anything unknown is `unknown-error`, with the thrown
 * value as its cause and nothing of it in its text.
 *
 * @param mapError asked first, for what is not an ApiError already
 */
export function toApiError(error: unknown, mapError?: MapError): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof FailedCallError) return failedCall(error, mapError);
  if (error instanceof ExplainedError) return error.explain(toApiError(error.cause, mapError));
  if (error instanceof UnreadableResultError) return new AccessDeniedError(error.message, { reason: error.meta.reason, cause: error });
  if (error instanceof UnknownOutcomeError) return hostError(error.cause, mapError) ?? unknownOutcome(error);
  return hostError(error, mapError) ?? dataLayerError(error) ?? httpError(error) ?? unknownError(error);
}

/** `RESULT_NOT_READABLE` says that something was written, which is not so where the call was undone with the others. */
function failedCall({ cause, index, isDone }: FailedCallError, mapError: MapError | undefined): ApiError {
  const error = toApiError(cause, mapError);
  if (isDone || error.reason === undefined) return withCallIndex(error, index);
  const [{ code, detail }] = error.problems;
  const { orm, rejectedByPolicy } = error;
  return new ApiError(code, detail, { cause: error.cause, rejectedByPolicy, callIndex: index, ...(orm && { orm }) });
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

/** What the data layer said of it would ask the client to try again. */
function unknownOutcome({ cause, doubt }: UnknownOutcomeError): ApiError {
  const orm = dataLayerError(cause)?.orm;
  return new ApiError('outcome-unknown', DOUBTS[doubt], { cause, ...(orm && { orm }) });
}

const DOUBTS: Readonly<Record<Doubt, string>> = {
  unconfirmed: 'The database did not confirm this write, which may be stored all the same. Look before you try it again.',
  unanswered: 'This write may be stored, but its answer failed. Look before you try it again.',
};

function unknownError(cause: unknown): ApiError {
  return new ApiError('unknown-error', 'An unexpected error occurred.', { cause });
}
