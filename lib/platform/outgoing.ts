import { hash } from 'node:crypto';
import { ApiError } from '../errors/api-error.js';
import type { ApiReply } from '../http/api-request.js';
import { ByteStream } from '../http/byte-stream.js';
import type { RequestContext } from './request-context.js';
import { matchesStrongly, matchesWeakly, parseTag, readTags } from '../http/preconditions.js';
import { READ_METHODS } from '../http/read-methods.js';
import { replyBytes, type SizeLimit } from '../http/response-size.js';
import type { Style } from './style.js';
import { bodyWriterOf } from '../http/written-reply.js';

/** A response as it is sent, independent of the platform. */
export interface Outgoing {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body. Undefined if there is none, and for a 304. It is not sent to HEAD, whose headers are the same. */
  readonly bytes: Uint8Array | undefined;
  /** Present instead of `bytes` if the body is produced while it is sent. */
  readonly stream?: ByteStream;
}

/** What determines how a response is sent, in addition to its content. */
interface OutgoingContext {
  readonly style: Pick<Style, 'mediaType' | 'vary'>;
  /** Returns a header that the application has set on the response, by its lower-case name. */
  readonly given: (name: string) => string | undefined;
  readonly request: Pick<RequestContext, 'method' | 'headers'> | undefined;
  /** The limit `limits.maxResponseSize`. Errors are sent without a limit. */
  readonly maxSize: SizeLimit;
}

/**
 * Converts a reply to bytes and headers, with the headers that every response has. Headers that the application or an interceptor has set
 * are not replaced.
 *
 * `Cache-Control: private, no-cache`: a response belongs to its caller. The client may store it, and must revalidate it with
 * `If-None-Match`.
 *
 * Reads have an `ETag`. It is weak, because a compressing middleware may still encode the bytes that it identifies. A read whose
 * representation the client already has is answered with 304.
 *
 * `X-Content-Type-Options: nosniff`: a response may repeat texts of clients, which a browser must not interpret as another content type.
 *
 * @throws ApiError `limit-exceeded` where a JSON body is larger than `maxSize`; those of {@link isFresh}
 */
export function toOutgoing(reply: ApiReply, context: OutgoingContext): Outgoing {
  const { style, request } = context;
  if (hasStream(reply)) return { status: reply.status, headers: commonHeaders(reply, context), bytes: undefined, stream: reply.body };
  const bytes = replyBytes(reply, context.maxSize);
  const headers = commonHeaders(reply, context);
  if (bytes === undefined) return { status: reply.status, headers: withLength(reply.status, headers), bytes };
  const isRead = isReadOf(reply, request);
  const etag = etagOf(reply, bytes, { given: headers['etag'] ?? context.given('etag'), isRead });
  if (etag !== undefined) {
    headers['etag'] = etag;
    if (request && isRead && isFresh(request, etag)) {
      delete headers['content-type'];
      return { status: 304, headers, bytes: undefined };
    }
  }
  headers['content-type'] ??= style.mediaType;
  headers['content-length'] = String(bytes.byteLength);
  return { status: reply.status, headers, bytes };
}

function hasStream(reply: ApiReply): reply is ApiReply & { readonly body: ByteStream } {
  // The body of a lazy reply is always a value. Reading it would create that value.
  return bodyWriterOf(reply) === undefined && reply.body instanceof ByteStream;
}

function commonHeaders({ headers: own = {} }: ApiReply, { style, given }: OutgoingContext): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(own)) headers[name.toLowerCase()] = own[name] ?? '';
  headers['cache-control'] ??= given('cache-control') ?? 'private, no-cache';
  headers['x-content-type-options'] ??= given('x-content-type-options') ?? 'nosniff';
  headers['vary'] = varyOf(given('vary'), headers['vary'], style.vary);
  return headers;
}

/** Formats a header of Node's or Fastify's response as one text. */
export function headerText(value: number | string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value?.toString();
}

/** Appends the style's names to the `Vary` of the response, because CORS and compression set their own. */
function varyOf(given: string | undefined, own: string | undefined, always: string): string {
  return given === undefined && own === undefined ? always : joinVary([given, own, always]);
}

function joinVary(values: readonly (string | undefined)[]): string {
  const names = values.flatMap((value) => value?.split(',') ?? []).map((name) => name.trim());
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ');
}

/** Adds `Content-Length: 0` to a response without a body, unless its status never has a body (RFC 9110, section 8.6). */
function withLength(status: number, headers: Readonly<Record<string, string>>): Outgoing['headers'] {
  return status === 204 || status === 304 ? headers : { ...headers, 'content-length': '0' };
}

function isReadOf({ status }: ApiReply, request: OutgoingContext['request']): boolean {
  return status === 200 && request !== undefined && READ_METHODS.has(request.method);
}

/** Returns the `ETag`: a strong one if the body is one version of a resource (CC-14), and a weak one for other reads. */
function etagOf({ version }: ApiReply, bytes: Uint8Array, { given, isRead }: Tagged): string | undefined {
  if (version !== undefined) return given ?? strongTag(version, bytes);
  return isRead ? (given ?? `W/"${bytes.byteLength.toString(36)}-${hash('sha1', bytes, 'base64url')}"`) : undefined;
}

interface Tagged {
  /** The `ETag` that the application or an interceptor has set. */
  readonly given: string | undefined;
  readonly isRead: boolean;
}

/** Returns the strong `ETag` of a body that is one version of a resource. */
export function strongTag(version: string, bytes: Uint8Array): string {
  return `"${version}.${hash('sha1', bytes, 'base64url')}"`;
}

/**
 * Evaluates the preconditions of a read, which come after all other checks (RFC 9110, section 13.2).
 *
 * @returns whether the client already has this representation
 * @throws ApiError `precondition-failed` for a false `If-Match`, `unsupported-header` for a header without entity tags
 */
function isFresh({ headers }: Pick<RequestContext, 'headers'>, etag: string): boolean {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && noneMatch === undefined) return false;
  const current = parseTag(etag);
  // The application may have set an invalid entity tag, which is compared as text.
  if (current === undefined) return noneMatch === etag;
  const ifMatch = readTags('If-Match', match) ?? '*';
  const ifNoneMatch = readTags('If-None-Match', noneMatch) ?? [];
  if (ifMatch !== '*' && !ifMatch.some((tag) => matchesStrongly(tag, current))) {
    throw new ApiError('precondition-failed', 'The current ETag is not among those of If-Match: fetch the resource without it.', {
      source: { header: 'If-Match' },
    });
  }
  return matchesWeakly(ifNoneMatch, current);
}
