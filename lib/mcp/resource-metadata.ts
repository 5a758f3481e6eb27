import { memberOf } from '../errors/member-of.js';
import type { McpResourceMetadata } from '../options/mcp-options.js';
import { isObject } from '../utils/is-object.js';

/** The path of the metadata of resources of a host (RFC 9728, section 3); that of one resource has the path of the resource after it. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The OAuth metadata of a protected resource (RFC 9728, section 2). */
export function metadataOf({ authorizationServers, scopes, resource }: McpResourceMetadata, request: object, path: string): object {
  return {
    resource: resource ?? `${originOf(request) ?? ''}${path}`,
    authorization_servers: authorizationServers,
    ...(scopes && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  };
}

/**
 * Returns the header `WWW-Authenticate` of a 401, which leads a client to the metadata.
 *
 * @param path the path of the endpoint
 */
export function challengeOf({ resource, scopes }: McpResourceMetadata, request: object, path: string): string {
  const own = resource === undefined ? undefined : new URL(resource);
  const origin = own?.origin ?? originOf(request);
  const url = origin === undefined ? [] : [`resource_metadata="${origin}${METADATA_PATH}${own?.pathname.replace(/\/$/, '') ?? path}"`];
  const scope = scopes && scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : [];
  return ['Bearer', [...url, ...scope].join(', ')].filter((part) => part !== '').join(' ');
}

/** Returns the origin under which a client has reached the application: that of the platform, which may trust a proxy. Undefined for a host that is none. */
function originOf(request: object): string | undefined {
  const { headers, raw }: { readonly headers?: unknown; readonly raw?: unknown } = request;
  const socket = memberOf(raw ?? request, 'socket');
  const ofSocket = memberOf(socket, 'encrypted') === true ? 'https' : 'http';
  const protocol = textOf(memberOf(request, 'protocol')) ?? ofSocket;
  const host = textOf(memberOf(request, 'host')) ?? textOf(memberOf(headers, 'host'));
  const url = `${protocol}://${host ?? ''}`;
  if (!isObject(headers) || host === undefined || !/^[\w.:[\]-]+$/.test(host) || !URL.canParse(url)) return undefined;
  return new URL(url).origin;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
