import { hash } from 'node:crypto';
import { ApiError } from '../errors/api-error.js';
import type { ApiReply } from '../http/api-request.js';
import { ByteStream } from '../http/byte-stream.js';
import type { RequestContext } from './request-context.js';
import { type EntityTag, matchesStrongly, parseTags, readTags } from '../http/preconditions.js';
import { READ_METHODS } from '../http/read-methods.js';
import { replyBytes, type SizeLimit } from '../http/response-size.js';
import type { Style } from './style.js';
import { writtenBody } from '../http/written-reply.js';

/** An answer as it goes over the wire, the same on every platform. */
export interface Outgoing {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined where there is none, and for a 304. HEAD is answered without them, with the same headers. */
  readonly bytes: Uint8Array | undefined;
  /** Present in place of bytes where they are made while they are sent. */
  readonly stream?: ByteStream;
}

/** What decides how a response is sent, apart from its content. */
interface OutgoingContext {
  readonly style: Pick<Style, 'mediaType' | 'vary'>;
  /** A header that the host has set on the response already, by its lower-case name. */
  readonly given: (name: string) => string | undefined;
  readonly request: Pick<RequestContext, 'method' | 'headers'> | undefined;
  /** That of `limits.maxResponseSize`; errors are small, and have none. */
  readonly maxSize: SizeLimit;
}

/**
 * Makes the answer of a request what goes out: its bytes, and the headers that every answer has. What the host or an interceptor has set stays.
 *
 * `Cache-Control: private, no-cache`: an answer is its caller's own, and may be kept to ask again with `If-None-Match`. Reads have an `ETag`, a
 * weak one: it stands for the bytes, which a compressing middleware may still encode. One that the client has is answered 304.
 *
 * `X-Content-Type-Options: nosniff`: an answer repeats texts of clients, and no browser is to take it for anything else than it says it is.
 *
 * @throws ApiError `limit-exceeded` where a JSON body is larger than `maxSize`; those of {@link isFresh}
 */
export function toOutgoing(reply: ApiReply, context: OutgoingContext): Outgoing {
  const { style, request } = context;
  if (hasStream(reply)) return { status: reply.status, headers: commonHeaders(reply, context), bytes: undefined, stream: reply.body };
  const bytes = replyBytes(reply, context.maxSize);
  const headers = commonHeaders(reply, context);
  if (bytes === undefined) return { status: reply.status, headers: withLength(reply.status, headers), bytes };
  const etag = etagOf(reply, bytes, headers['etag'] ?? context.given('etag'), request);
  if (etag !== undefined) {
    headers['etag'] = etag;
    if (request && isRead(reply, request) && isFresh(request, etag)) {
      delete headers['content-type'];
      return { status: 304, headers, bytes: undefined };
    }
  }
  headers['content-type'] ??= style.mediaType;
  headers['content-length'] = String(bytes.byteLength);
  return { status: reply.status, headers, bytes };
}

function hasStream(reply: ApiReply): reply is ApiReply & { readonly body: ByteStream } {
  // What is written on demand is a value, which is not to be made to look at it.
  return writtenBody(reply) === undefined && reply.body instanceof ByteStream;
}

function commonHeaders({ headers: own = {} }: ApiReply, { style, given }: OutgoingContext): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of Object.keys(own)) headers[name.toLowerCase()] = own[name] ?? '';
  headers['cache-control'] ??= given('cache-control') ?? 'private, no-cache';
  headers['x-content-type-options'] ??= given('x-content-type-options') ?? 'nosniff';
  headers['vary'] = varyOf(given('vary'), headers['vary'], style.vary);
  return headers;
}

/** A header that Node's response or Fastify's has already, as one text. */
export function headerText(value: number | string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value?.toString();
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
  return status === 200 && request !== undefined && READ_METHODS.has(request.method);
}

/** Strong where the answer shows one version of a resource (CC-14), and weak for what else is read. */
function etagOf(reply: ApiReply, bytes: Uint8Array, given: string | undefined, request: OutgoingContext['request']): string | undefined {
  if (reply.version !== undefined) return given ?? strongTag(reply.version, bytes);
  return isRead(reply, request) ? (given ?? `W/"${bytes.byteLength.toString(36)}-${hash('sha1', bytes, 'base64url')}"`) : undefined;
}

/** The tag of an answer that shows one version of a resource. */
export function strongTag(version: string, bytes: Uint8Array): string {
  return `"${version}.${hash('sha1', bytes, 'base64url')}"`;
}

/**
 * Evaluates the preconditions of a read, which come after all other checks (RFC 9110, section 13.2).
 *
 * @returns whether the client has this representation already
 * @throws ApiError `precondition-failed` for a false `If-Match`, `unsupported-header` for a header without entity tags
 */
function isFresh({ headers }: Pick<RequestContext, 'headers'>, etag: string): boolean {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  const current = tagOf(etag);
  // A tag of the application that is no entity tag is compared as it is.
  if (current === undefined) return noneMatch === etag;
  const ifMatch = readTags('If-Match', match) ?? '*';
  const ifNoneMatch = readTags('If-None-Match', noneMatch) ?? [];
  if (ifMatch !== '*' && !ifMatch.some((tag) => matchesStrongly(tag, current))) {
    throw new ApiError('precondition-failed', 'The current ETag is not among those of If-Match: fetch the resource without it.', {
      source: { header: 'If-Match' },
    });
  }
  return ifNoneMatch === '*' || ifNoneMatch.some(({ value }) => value === current.value);
}

function tagOf(etag: string): EntityTag | undefined {
  const tags = parseTags(etag);
  return tags === '*' ? undefined : tags?.[0];
}
