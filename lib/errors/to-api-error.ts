import { ApiError } from './api-error.js';
import { ConfigurationError } from './configuration-error.js';
import { dataLayerError } from './data-layer-error.js';
import { ExplainedError } from './explained-error.js';
import { FailedCallError } from './failed-call-error.js';
import { OwnCodeError } from './own-code-error.js';
import { httpError } from './http-error.js';
import { errorMessage } from './error-message.js';
import { AccessDeniedError } from './access-denied-error.js';
import { RESULT_NOT_READABLE, UnreadableResultError } from './unreadable-result-error.js';
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
  return error instanceof OwnCodeError ? failedOwnCode(error, mapError) : foreignError(error, mapError);
}

function foreignError(error: unknown, mapError: MapError | undefined): ApiError {
  return hostError(error, mapError) ?? dataLayerError(error) ?? httpError(error) ?? unknownError(error);
}

/** What was thrown first, before this package said what it knows of it. */
export function thrownFirst(error: unknown): unknown {
  const isOurs = error instanceof FailedCallError || error instanceof ExplainedError || error instanceof UnknownOutcomeError;
  return isOurs ? thrownFirst(error.cause) : error;
}

/** Whether nobody knows if a write is done: the database has not confirmed it. */
export function isOutcomeUnknown(error: unknown): boolean {
  if (error instanceof UnknownOutcomeError) return error.doubt === 'unconfirmed';
  return (error instanceof FailedCallError || error instanceof ExplainedError) && isOutcomeUnknown(error.cause);
}

/** `RESULT_NOT_READABLE` says that something was written, which is not so where the call was undone with the others. */
function failedCall({ cause, index, isDone }: FailedCallError, mapError: MapError | undefined): ApiError {
  const error = toApiError(cause, mapError);
  if (isDone || error.reason !== RESULT_NOT_READABLE) return withCallIndex(error, index);
  const [{ code, detail }] = error.problems;
  const { orm, rejectedByPolicy } = error;
  return new ApiError(code, detail, { cause: error.cause, rejectedByPolicy, callIndex: index, ...(orm && { orm }) });
}

/** What the host's own code throws is the host's, and no answer of the data layer to the request, whatever it looks like. */
function failedOwnCode(error: OwnCodeError, mapError: MapError | undefined): ApiError {
  const { cause } = error;
  return (cause === undefined ? undefined : (hostError(cause, mapError) ?? httpError(cause))) ?? unknownError(error);
}

/** A mapping that fails, or gives anything else, answers as an unexpected error rather than not in the style's shape. */
function hostError(error: unknown, mapError: MapError | undefined): ApiError | undefined {
  try {
    const mapped: unknown = mapError?.(error) ?? undefined;
    if (mapped === undefined || mapped instanceof ApiError) return mapped;
    // A promise would end the process if it were to fail with nobody listening.
    Promise.resolve(mapped).catch(() => undefined);
    throw new ConfigurationError('mapError returned something else than an ApiError.', 'Return one, or undefined, and not a promise.');
  } catch (thrown) {
    if (thrown instanceof ApiError) return thrown;
    // Both are for the log.
    return unknownError(new AggregateError([thrown, error], `The option mapError failed: ${errorMessage(thrown).summary}`));
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
