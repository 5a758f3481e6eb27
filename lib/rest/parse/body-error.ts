import { ApiError } from '../../errors/api-error.js';
import { changeError } from '../../errors/change-error.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';

/** An error at a place in the request body. A missing member is pointed at by its parent (JSON:API 1.1, error objects). */
export function bodyError(code: ErrorCode, pointer: string, detail: string): ApiError {
  return new ApiError(code, detail, { source: { pointer } });
}

/** What is read, or the same error at a place in the request body. */
export function at<Result>(pointer: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof ApiError ? changeError(error, { source: { pointer } }) : error;
  }
}

/**
 * The pointer to a member below another one (RFC 6901).
 *
 * @example
 * memberPointer('/data/attributes', 'a/b'); // '/data/attributes/a~1b'
 */
export function memberPointer(parent: string, member: string | number): string {
  return `${parent}/${typeof member === 'string' && ESCAPED.test(member) ? member.replaceAll('~', '~0').replaceAll('/', '~1') : member}`;
}

const ESCAPED = /[~/]/;
