import type { ApiRequest } from '../../http/api-request.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { ERROR_CODES, ProtocolError } from './protocol-error.js';
import type { Message, Params } from './read-message.js';

/**
 * The two forms of the protocol: `handshake` begins with `initialize` (the revisions up to 2025-11-25), `stateless` names its revision and capabilities in
 * `_meta` of each request (2026-07-28).
 */
export type ProtocolForm = 'handshake' | 'stateless';

/** The revisions with a handshake, the newest first. */
export const HANDSHAKE_REVISIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** The revisions without a handshake. */
export const STATELESS_REVISIONS: readonly string[] = ['2026-07-28'];

/** The keys of `_meta` that the revision 2026-07-28 reserves. */
const META = 'io.modelcontextprotocol/';
export const SERVER_INFO = `${META}serverInfo`;
const VERSION = `${META}protocolVersion`;
const CAPABILITIES = `${META}clientCapabilities`;

/**
 * Returns the form of a request, by its body. Its headers must agree with the body, because proxies route and authorize by them.
 *
 * @throws ProtocolError for an unknown revision, for headers that disagree, and for incomplete `_meta`
 */
export function readProtocolForm(message: Message, { headers }: ApiRequest): ProtocolForm {
  const version = headerOf(headers, 'mcp-protocol-version');
  const meta = metaOf(message.params);
  if (Object.hasOwn(meta, VERSION)) {
    requireEnvelope(meta);
    requireHeaders(message, meta[VERSION], headers);
    return 'stateless';
  }
  if (version === undefined || HANDSHAKE_REVISIONS.includes(version)) return 'handshake';
  if (!STATELESS_REVISIONS.includes(version)) throw unsupported(version);
  // A notification has no envelope.
  if (message.id === undefined) return 'stateless';
  if (message.method === 'initialize') throw mismatch(`initialize does not exist in the revision ${version}.`);
  throw incomplete(`_meta lacks ${VERSION}`);
}

function metaOf({ _meta: meta }: Params): Params {
  return isPlainObject(meta) ? meta : {};
}

function requireEnvelope(meta: Params): void {
  const { [VERSION]: version, [CAPABILITIES]: capabilities } = meta;
  if (typeof version !== 'string') throw incomplete(`${VERSION} must be a string`);
  if (!isPlainObject(capabilities)) throw incomplete(`${CAPABILITIES} must be an object`);
}

function requireHeaders({ id, method, params }: Message, version: unknown, headers: ApiRequest['headers']): void {
  const given = headerOf(headers, 'mcp-protocol-version');
  if (given !== undefined && given !== version) throw mismatch('MCP-Protocol-Version and _meta name different revisions.');
  if (!STATELESS_REVISIONS.includes(String(version))) throw unsupported(String(version));
  if (id === undefined) return;
  if (given === undefined) throw mismatch('The header MCP-Protocol-Version is missing.');
  if (headerOf(headers, 'mcp-method') !== method) throw mismatch('The header Mcp-Method must name the method of the body.');
  if (method === 'tools/call') requireName(params, headerOf(headers, 'mcp-name'));
}

function requireName({ name }: Params, header: string | undefined): void {
  if (typeof name !== 'string' || (header !== undefined && decodeName(header) === name)) return;
  throw mismatch('The header Mcp-Name must name the tool of the body.');
}

function headerOf(headers: ApiRequest['headers'], name: string): string | undefined {
  return headers[name] === undefined ? undefined : [headers[name]].flat().join(',').trim();
}

/** Decodes a header whose value is no plain ASCII: `=?base64?…?=`. */
function decodeName(header: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString();
}

function unsupported(requested: string): ProtocolError {
  const data = { supported: [...STATELESS_REVISIONS, ...HANDSHAKE_REVISIONS], requested };
  return new ProtocolError(ERROR_CODES.unsupportedVersion, 'This revision of the protocol is not supported.', { status: 400, data });
}

function mismatch(message: string): ProtocolError {
  return new ProtocolError(ERROR_CODES.headerMismatch, message, { status: 400 });
}

function incomplete(problem: string): ProtocolError {
  return new ProtocolError(ERROR_CODES.invalidParams, `Invalid params: ${problem}.`, { status: 400 });
}
