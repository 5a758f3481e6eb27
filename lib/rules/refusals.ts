import { AccessDeniedError } from '../errors/access-denied-error.js';
import { ApiError } from '../errors/api-error.js';
import { memberOf } from '../errors/member-of.js';

/** A rule that gives no condition: an error of the host's, which answers 500 and is logged. It names the rule's place, e.g. `rules.Post.read`. */
export class RuleError extends Error {
  override readonly name = 'RuleError';

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
  }
}

/** Why a rule refuses, and how the log calls it. */
export interface Reason {
  readonly text: string;
  /** E.g. `rules.Post.update.using`. */
  readonly place: string;
}

/** A write that a rule refuses. It says neither which nor what the rule is: only its reason, if the host has given it one. */
export function refusedByRule(reason: Reason | undefined, detail = 'You are not allowed to write this.'): ApiError {
  return new AccessDeniedError(detail, reason && { reason: reason.text, cause: reason.place });
}

/** A row that a nested write names, and that is not there or may not be read. */
export function missingRow(model: string): ApiError {
  return new ApiError('not-found', `A ${model} that this write names does not exist.`, { orm: { code: 'P2025' } });
}

/** Whether the data client found no row to write. */
export function isNothingFound(error: unknown): boolean {
  return memberOf(error, 'code') === 'P2025';
}
