import { hash } from 'node:crypto';
import type { ApiReply } from './api-request.js';
import type { Exchange } from './exchange.js';
import { replyBytes, type SizeLimit } from './response-size.js';
import type { Style } from './style.js';

/** An answer as it goes over the wire, the same on every platform. */
export interface Outgoing {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there is none, and for a 304. HEAD is answered without them, with the same headers. */
  readonly bytes: Uint8Array | undefined;
}

/** What decides how a response is sent, apart from its content. */
export interface OutgoingContext {
  readonly style: Pick<Style, 'mediaType' | 'vary'>;
  /** A header that the host has set on the response already, by its lower-case name. */
  readonly given: (name: string) => string | undefined;
  readonly request: Pick<Exchange, 'method' | 'headers'> | undefined;
  /** That of `limits.maxResponseSize`; errors are small, and have none. */
  readonly maxSize: SizeLimit;
}

/**
 * Makes the answer of a request what goes out: its bytes, and the headers that every answer has. What the host or an interceptor has set stays.
 *
 * `Cache-Control: private, no-cache`: an answer is its caller's own, and may be kept to ask again with `If-None-Match`. Reads have an `ETag`, a
 * weak one: it stands for the bytes, which a compressing middleware may still encode. One that the client has is answered 304.
 *
 * @throws ApiError `limit-exceeded` where a JSON body is larger than `maxSize`
 */
export function toOutgoing(reply: ApiReply, context: OutgoingContext): Outgoing {
  const { style, request } = context;
  const bytes = replyBytes(reply, context.maxSize);
  const headers = commonHeaders(reply, context);
  if (bytes === undefined) return { status: reply.status, headers: withLength(reply.status, headers), bytes };
  const etag = isRead(reply, request) ? (headers['etag'] ?? context.given('etag') ?? etagOf(bytes)) : undefined;
  if (etag !== undefined) {
    headers['etag'] = etag;
    if (isFresh(request?.headers['if-none-match'], etag)) return { status: 304, headers, bytes: undefined };
  }
  headers['content-type'] ??= style.mediaType;
  headers['content-length'] = String(bytes.byteLength);
  return { status: reply.status, headers, bytes };
}

function commonHeaders({ headers: own = {} }: ApiReply, { style, given }: OutgoingContext): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(own)) headers[name.toLowerCase()] = own[name] ?? '';
  headers['cache-control'] ??= given('cache-control') ?? 'private, no-cache';
  headers['vary'] = varyOf(given('vary'), headers['vary'], style.vary);
  return headers;
}

/** Appended to what is there, since CORS and compression have theirs. */
function varyOf(given: string | undefined, own: string | undefined, always: string): string {
  return given === undefined && own === undefined ? always : joinVary([given, own, always]);
}

function joinVary(values: readonly (string | undefined)[]): string {
  const names = values.flatMap((value) => value?.split(',') ?? []).map((name) => name.trim());
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ');
}

/** An answer without a body says so, but for those that never have one (RFC 9110, section 8.6). */
function withLength(status: number, headers: Readonly<Record<string, string>>): Outgoing['headers'] {
  return status === 204 || status === 304 ? headers : { ...headers, 'content-length': '0' };
}

function isRead({ status }: ApiReply, request: OutgoingContext['request']): boolean {
  return status === 200 && (request?.method === 'GET' || request?.method === 'HEAD');
}

function etagOf(bytes: Uint8Array): string {
  return `W/"${bytes.byteLength.toString(36)}-${hash('sha1', bytes, 'base64url')}"`;
}

/** The weak comparison of RFC 9110, section 13.1.2. */
function isFresh(ifNoneMatch: string | string[] | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const known = [ifNoneMatch].flat().join(',');
  return known.trim() === '*' || known.split(',').some((one) => opaque(one.trim()) === opaque(etag));
}

function opaque(etag: string): string {
  return etag.startsWith('W/') ? etag.slice(2) : etag;
}
