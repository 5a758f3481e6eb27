import { ApiError } from '../../errors/api-error.js';
import { type ErrorCode } from '../../errors/error-catalogue.js';

/** Longer texts of a client are cut where an error repeats them. */
const MAX_QUOTED = 60;

/** An error that points at a query parameter. */
export function parameterError(code: ErrorCode, parameter: string, detail: string): ApiError {
  return new ApiError(code, detail, { source: { parameter } });
}

/** A client's text inside an error's sentence. */
export function quote(text: string): string {
  return text.length > MAX_QUOTED ? `'${text.slice(0, MAX_QUOTED)}…'` : `'${text}'`;
}
