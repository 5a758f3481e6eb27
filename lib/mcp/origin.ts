import { ApiError } from '../errors/api-error.js';
import { quote } from '../errors/quote.js';
import type { ApiRequest } from '../http/api-request.js';
import type { McpSettings } from '../options/mcp-settings.js';

/**
 * Checks the header `Origin`, which browsers send with each POST. Other web pages may not call the endpoint with the cookies of their visitors, nor
 * under a name that they have bound to its address (DNS rebinding).
 *
 * @returns the error of a request that is refused
 */
export function refuseOrigin({ headers }: ApiRequest, { allowedOrigins }: Pick<McpSettings, 'allowedOrigins'>): ApiError | undefined {
  const { origin, host } = headers;
  if (origin === undefined) return undefined;
  const given = [origin].flat().join(', ');
  const isAllowed = allowedOrigins ? allowedOrigins.includes(given) : isSameHost(given, [host].flat().join(', '));
  return isAllowed ? undefined : new ApiError('forbidden', `The origin ${quote(given)} may not call this endpoint.`);
}

function isSameHost(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: ofOrigin, origin: normalized } = new URL(origin);
  const own = `${protocol}//${host}`;
  // Without the port that the protocol has by default.
  return normalized === origin && ofOrigin !== '' && URL.canParse(own) && new URL(own).host === ofOrigin;
}
