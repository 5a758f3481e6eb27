import { AccessDeniedError } from '../errors/access-denied-error.js';
import { ApiError } from '../errors/api-error.js';
import { memberOf } from '../errors/member-of.js';

/** A write that a rule refuses. It does not say which, nor what the rule is. */
export function refusedByRule(): ApiError {
  return new AccessDeniedError('You are not allowed to write this.');
}

/** A row that a nested write names, and that is not there or may not be read. */
export function missingRow(model: string): ApiError {
  return new ApiError('not-found', `A ${model} that this write names does not exist.`);
}

/** Whether the data client found no row to write. */
export function isNothingFound(error: unknown): boolean {
  return memberOf(error, 'code') === 'P2025';
}
