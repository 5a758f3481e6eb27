import { ApiError } from '../errors/api-error.js';
import { type ApiStyle } from '../resource-api.module-definition.js';

/** What an unknown path is told about the known ones. */
const PATHS = {
  rest: 'Paths begin with a resource type, e.g. /post or /post/1/author.',
  rpc: 'Paths are /<model>/<operation>, e.g. /post/findMany.',
} as const satisfies Readonly<Record<ApiStyle, string>>;

/** A path below a mount that no route has. */
export function unknownPathError(style: ApiStyle): ApiError {
  return new ApiError('invalid-path', `There is nothing at this path. ${PATHS[style]}`);
}
