import { ApiError } from '../errors/api-error.js';
import type { ApiRequest } from './api-request.js';

/** The entity tags in `If-Match` and `If-None-Match` of a request. */
export interface Preconditions {
  readonly ifMatch?: EntityTags;
  readonly ifNoneMatch?: EntityTags;
}

/** `'*'`, which matches any representation, or a list of entity tags. */
export type EntityTags = '*' | readonly EntityTag[];

export interface EntityTag {
  readonly isWeak: boolean;
  /** The opaque tag without its quotes. */
  readonly value: string;
}

/**
 * Reads the preconditions of a write (RFC 9110, section 13.1). Dates are rejected, because resources have no modification date here. To
 * ignore a precondition would let the write overwrite a newer version.
 *
 * @returns undefined if the request has none
 * @throws ApiError `unsupported-header` (CC-04, CC-06)
 */
export function readPreconditions({ headers }: Pick<ApiRequest, 'headers'>): Preconditions | undefined {
  for (const [key, dated] of DATES)
    if (headers[key] !== undefined) throw unsupported(dated, `${dated} is not supported: use If-Match with the ETag of the resource.`);
  const ifMatch = readTags('If-Match', headers['if-match']);
  const ifNoneMatch = readTags('If-None-Match', headers['if-none-match']);
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return { ...(ifMatch !== undefined && { ifMatch }), ...(ifNoneMatch !== undefined && { ifNoneMatch }) };
}

const DATES = [
  ['if-unmodified-since', 'If-Unmodified-Since'],
  ['if-modified-since', 'If-Modified-Since'],
] as const;

/**
 * Rejects preconditions on an endpoint that cannot evaluate them, rather than ignoring them.
 *
 * @throws ApiError `unsupported-header`
 */
export function requireNoPreconditions(request: Pick<ApiRequest, 'headers'>, reason: string): void {
  const { ifMatch } = readPreconditions(request) ?? { ifMatch: NONE };
  if (ifMatch !== NONE) throw unsupported(ifMatch === undefined ? 'If-None-Match' : 'If-Match', reason);
}

const NONE: EntityTags = [];

/**
 * Parses the entity tags of a header, or of a body member that replaces it.
 *
 * @returns undefined if the header is absent
 * @throws ApiError `unsupported-header`
 */
export function readTags(name: string, header: string | readonly string[] | undefined): EntityTags | undefined {
  if (header === undefined) return undefined;
  const tags = parseTags([header].flat().join(','));
  if (tags) return tags;
  throw unsupported(name, `${name} must be ${TAGS}.`);
}

/** Describes the accepted syntax in error messages. */
export const TAGS = "'*', or ETags in their quotes with commas between them";

/** Parses a list of entity tags. Returns undefined if the text is none. */
export function parseTags(given: string): EntityTags | undefined {
  const text = given.trim();
  if (text === '*') return '*';
  if (!LIST.test(text)) return undefined;
  return [...text.matchAll(TAG)].map(([, weak, value = '']) => ({ isWeak: weak !== undefined, value }));
}

/** Whether two tags match by the strong comparison of RFC 9110, section 8.8.3.2. */
export function matchesStrongly(one: EntityTag, other: EntityTag): boolean {
  return !one.isWeak && !other.isWeak && one.value === other.value;
}

/** Whether any of the tags matches by the weak comparison of RFC 9110, section 8.8.3.2. */
export function matchesWeakly(tags: EntityTags, current: EntityTag): boolean {
  return tags === '*' || tags.some(({ value }) => value === current.value);
}

/** Parses one entity tag. Returns undefined if the text is none. */
export function parseTag(text: string): EntityTag | undefined {
  const tags = parseTags(text);
  return tags === '*' ? undefined : tags?.[0];
}

/** The syntax of RFC 9110, section 8.8.3. Elements of a list may be empty. */
const ETAG = '(W/)?"([\\x21\\x23-\\x7e\\x80-\\xff]*)"';
const TAG = new RegExp(ETAG, 'g');
const LIST = new RegExp(`^[\\s,]*${ETAG}(?:\\s*,[\\s,]*${ETAG})*[\\s,]*$`);

function unsupported(header: string, detail: string): ApiError {
  return new ApiError('unsupported-header', detail, { source: { header } });
}
