import { ApiError } from '../../errors/api-error.js';
import { changeError } from '../../errors/change-error.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';

/** Returns an error whose source is a place in the request body. For a missing member, that is its parent (JSON:API 1.1, error objects). */
export function bodyError(code: ErrorCode, pointer: string, detail: string): ApiError {
  return new ApiError(code, detail, { source: { pointer } });
}

/** Calls a reader, and sets the source of an `ApiError` that it throws to a place in the request body. */
export function at<Result>(pointer: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof ApiError ? changeError(error, { source: { pointer } }) : error;
  }
}

/**
 * Returns the JSON pointer to a member of another one (RFC 6901).
 *
 * @example
 * memberPointer('/data/attributes', 'a/b'); // '/data/attributes/a~1b'
 */
export function memberPointer(parent: string, member: string | number): string {
  return `${parent}/${typeof member === 'string' && ESCAPED.test(member) ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member}`;
}

const ESCAPED = /[~/]/;
