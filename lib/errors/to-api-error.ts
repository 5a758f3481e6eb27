import { ApiError } from './api-error.js';
import { ConfigurationError } from './configuration-error.js';
import { dataLayerError } from './data-layer-error.js';
import { ExplainedError } from './explained-error.js';
import { FailedCallError } from './failed-call-error.js';
import { ApplicationCodeError } from './application-code-error.js';
import { fromHttpException } from './from-http-exception.js';
import { errorMessage } from './error-message.js';
import { AccessDeniedError } from './access-denied-error.js';
import { RESULT_NOT_READABLE, UnreadableResultError } from './unreadable-result-error.js';
import { type UnknownOutcomeReason, UnknownOutcomeError } from './unknown-outcome-error.js';
import { withCallIndex } from './with-call-index.js';

/** The option `mapError`: the application's own mapping of errors. */
export type MapError = (error: unknown) => ApiError | undefined;

/**
 * Converts any thrown value to an {@link ApiError}, in both styles. Unknown values become `unknown-error`
 * with the value as cause. The text contains nothing of the value.
 *
 * @param mapError called first for any value that is not an ApiError
 */
export function toApiError(error: unknown, mapError?: MapError): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof FailedCallError) return failedCall(error, mapError);
  if (error instanceof ExplainedError) return error.explain(toApiError(error.cause, mapError));
  if (error instanceof UnreadableResultError) return new AccessDeniedError(error.message, { reason: error.meta.reason, cause: error });
  if (error instanceof UnknownOutcomeError) return applyMapError(error.cause, mapError) ?? unknownOutcome(error);
  return error instanceof ApplicationCodeError ? failedOwnCode(error, mapError) : foreignError(error, mapError);
}

function foreignError(error: unknown, mapError: MapError | undefined): ApiError {
  return applyMapError(error, mapError) ?? dataLayerError(error) ?? fromHttpException(error) ?? unknownError(error);
}

/** Returns the original error without the wrappers of this package. */
export function originalErrorOf(error: unknown): unknown {
  const isOurs = error instanceof FailedCallError || error instanceof ExplainedError || error instanceof UnknownOutcomeError;
  return isOurs ? originalErrorOf(error.cause) : error;
}

/** Whether the outcome of a write is unknown because the database has not confirmed it. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof UnknownOutcomeError) return error.doubt === 'unconfirmed';
  return (error instanceof FailedCallError || error instanceof ExplainedError) && isOutcomeUnknown(error.cause);
}

/**
 * Converts the error of one call of a transaction and adds the index of the call. Removes the reason `RESULT_NOT_READABLE` if
 * the transaction was rolled back, because nothing was written.
 */
function failedCall({ cause, index, isDone }: FailedCallError, mapError: MapError | undefined): ApiError {
  const error = toApiError(cause, mapError);
  if (isDone || error.reason !== RESULT_NOT_READABLE) return withCallIndex(error, index);
  const [{ code, detail }] = error.problems;
  const { orm, rejectedByPolicy } = error;
  return new ApiError(code, detail, { cause: error.cause, rejectedByPolicy, callIndex: index, ...(orm && { orm }) });
}

/** Converts an error of a hook or an action. Data-layer errors in it become `unknown-error`, because they do not describe the client's request. */
function failedOwnCode(error: ApplicationCodeError, mapError: MapError | undefined): ApiError {
  const { cause } = error;
  return (cause === undefined ? undefined : (applyMapError(cause, mapError) ?? fromHttpException(cause))) ?? unknownError(error);
}

/** Calls the option `mapError`. If it throws or returns anything but an ApiError or undefined, the result is `unknown-error`. */
function applyMapError(error: unknown, mapError: MapError | undefined): ApiError | undefined {
  try {
    const mapped: unknown = mapError?.(error) ?? undefined;
    if (mapped === undefined || mapped instanceof ApiError) return mapped;
    // A rejected promise without a handler would end the process.
    Promise.resolve(mapped).catch(() => undefined);
    throw new ConfigurationError('mapError returned something else than an ApiError.', 'Return one, or undefined, and not a promise.');
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown;
    // The log receives both errors.
    return unknownError(new AggregateError([thrown, error], `The option mapError failed: ${errorMessage(thrown).summary}`));
  }
}

/** Converts an error whose write may be stored. The data layer's own detail is not used, because it would suggest a retry. */
function unknownOutcome({ cause, doubt }: UnknownOutcomeError): ApiError {
  const orm = dataLayerError(cause)?.orm;
  return new ApiError('outcome-unknown', DOUBTS[doubt], { cause, ...(orm && { orm }) });
}

const DOUBTS: Readonly<Record<UnknownOutcomeReason, string>> = {
  unconfirmed: 'The database did not confirm this write, which may be stored all the same. Look before you try it again.',
  unanswered: 'This write may be stored, but its answer failed. Look before you try it again.',
};

function unknownError(cause: unknown): ApiError {
  return new ApiError('unknown-error', 'An unexpected error occurred.', { cause });
}
