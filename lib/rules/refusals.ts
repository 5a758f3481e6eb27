import { AccessDeniedError } from '../errors/access-denied-error.js';
import { ApiError } from '../errors/api-error.js';
import { memberOf } from '../errors/member-of.js';

/**
 * Error of a rule that returns no condition. This is a fault of the application: the response is 500, and the log names the place, e.g.
 * `rules.Post.read`.
 */
export class RuleError extends Error {
  override readonly name = 'RuleError';

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
  }
}

/** The reason of a rule for rejecting a write. */
export interface Reason {
  readonly text: string;
  /** Place of the rule for the log, e.g. `rules.Post.update.using`. */
  readonly place: string;
}

/**
 * Creates the error of a write that a rule rejects. It reveals neither the rule nor its condition, only the reason that the application has given.
 */
export function refusedByRule(reason: Reason | undefined, detail = 'You are not allowed to write this.'): ApiError {
  return new AccessDeniedError(detail, reason && { reason: reason.text, cause: reason.place });
}

/** Creates the error for a row in a nested write that does not exist, or may not be read. */
export function missingRow(model: string): ApiError {
  return new ApiError('not-found', `A ${model} that this write names does not exist.`, { orm: { code: 'P2025' } });
}

/** Whether an error means that the data client found no row to write (P2025). */
export function isNothingFound(error: unknown): boolean {
  return memberOf(error, 'code') === 'P2025';
}
