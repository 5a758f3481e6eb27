import type { ApiError } from '../errors/api-error.js';
import type { McpSettings } from '../options/mcp-settings.js';
import type { ErrorContext, Style } from '../platform/style.js';
import { RPC_STYLE } from '../rpc/rpc-style.js';
import { readMcp } from './mcp-reading.js';
import { McpService } from './mcp.service.js';
import { codeOfStatus, errorMessageOf } from './protocol/protocol-error.js';
import { challengeOf } from './resource-metadata.js';

/** The MCP style for the platform: one endpoint, whose calls are requests of RPC. */
export const MCP_STYLE: Style = {
  name: 'mcp',
  mediaType: 'application/json; charset=utf-8',
  vary: 'Authorization, Cookie, Origin',
  // A call may have several operations.
  endpoints: [{ name: 'mcp', path: '', guarded: 'operation' }],
  pathHint: 'MCP has no paths below its endpoint.',
  words: RPC_STYLE.words,
  names: (segment) => segment === '',
  read: readMcp,
  renderError: (error, { failed }) => ({
    status: error.status,
    headers: { ...error.headers, ...challenge(error, failed) },
    body: errorMessageOf(undefined, {
      code: codeOfStatus(error.status),
      message: error.problems.map(({ detail }) => detail).join(' '),
    }),
  }),
  service: McpService,
};

/** Returns where a client finds out how to authenticate, for a 401. */
function challenge({ status }: ApiError, failed: ErrorContext['failed']): Readonly<Record<string, string>> {
  if (status !== 401 || !failed?.point) return {};
  const { context, paths } = failed.point;
  const { resourceMetadata } = context.settings as McpSettings;
  return resourceMetadata ? { 'WWW-Authenticate': challengeOf(resourceMetadata, failed.request, paths[0] ?? '') } : {};
}
