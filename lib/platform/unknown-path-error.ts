import { ApiError } from '../errors/api-error.js';
import type { Style } from './style.js';

/** A path below a mount that no route has. */
export function unknownPathError({ pathHint }: Style): ApiError {
  return new ApiError('invalid-path', `There is nothing at this path. ${pathHint}`);
}
