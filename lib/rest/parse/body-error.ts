import { ApiError } from '../../errors/api-error.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';

/** An error at a place in the request body. A missing member is pointed at by its parent (JSON:API 1.1, error objects). */
export function bodyError(code: ErrorCode, pointer: string, detail: string): ApiError {
  return new ApiError(code, detail, { source: { pointer } });
}
