import { ApiError } from '../errors/api-error.js';
import { quote } from '../errors/quote.js';
import type { ApiRequest } from '../http/api-request.js';
import type { McpSettings } from '../options/mcp-settings.js';

/**
 * Checks the header `Origin`, which browsers send with each POST. Other web pages may not call the endpoint with the cookies of their visitors, nor
 * under a name that they have bound to its address (DNS rebinding): such a page has the host of the request, so no origin is allowed by itself.
 *
 * @returns the error of a request that is refused
 */
export function refuseOrigin({ headers }: ApiRequest, { allowedOrigins }: Pick<McpSettings, 'allowedOrigins'>): ApiError | undefined {
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const given = [origin].flat().join(', ');
  if (allowedOrigins.includes(given)) return undefined;
  return new ApiError('forbidden', `The origin ${quote(given)} may not call this endpoint.`);
}
