import { ApiError } from '../../errors/api-error.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';

/** An error that points at a query parameter. */
export function parameterError(code: ErrorCode, parameter: string, detail: string): ApiError {
  return new ApiError(code, detail, { source: { parameter } });
}
