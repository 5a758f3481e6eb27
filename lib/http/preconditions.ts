import { ApiError } from '../errors/api-error.js';
import type { ApiRequest } from './api-request.js';

/** What `If-Match` and `If-None-Match` of a request name. */
export interface Preconditions {
  readonly ifMatch?: EntityTags;
  readonly ifNoneMatch?: EntityTags;
}

/** Any representation, or one of these. */
export type EntityTags = '*' | readonly EntityTag[];

export interface EntityTag {
  readonly isWeak: boolean;
  /** Without its quotes. */
  readonly value: string;
}

/**
 * The preconditions of a write (RFC 9110, section 13.1). Dates are refused: nothing here has one, and a precondition that is ignored overwrites.
 *
 * @returns undefined where there are none
 * @throws ApiError `unsupported-header` (CC-04, CC-06)
 */
export function readPreconditions({ headers }: Pick<ApiRequest, 'headers'>): Preconditions | undefined {
  const dated = DATES.find((name) => headers[name.toLowerCase()] !== undefined);
  if (dated !== undefined) throw unsupported(dated, `${dated} is not supported: use If-Match with the ETag of the resource.`);
  const ifMatch = readTags('If-Match', headers['if-match']);
  const ifNoneMatch = readTags('If-None-Match', headers['if-none-match']);
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return { ...(ifMatch !== undefined && { ifMatch }), ...(ifNoneMatch !== undefined && { ifNoneMatch }) };
}

const DATES = ['If-Unmodified-Since', 'If-Modified-Since'] as const;

/** Refuses preconditions where they mean nothing, rather than to ignore them. */
export function requireNoPreconditions(request: Pick<ApiRequest, 'headers'>, reason: string): void {
  const { ifMatch } = readPreconditions(request) ?? { ifMatch: NONE };
  if (ifMatch !== NONE) throw unsupported(ifMatch === undefined ? 'If-None-Match' : 'If-Match', reason);
}

const NONE: EntityTags = [];

/** The tags of one header, or of a member that stands for it. */
export function readTags(name: string, header: string | readonly string[] | undefined): EntityTags | undefined {
  if (header === undefined) return undefined;
  const tags = parseTags([header].flat().join(','));
  if (tags) return tags;
  throw unsupported(name, `${name} must be ${TAGS}.`);
}

/** What a text is that holds tags. */
export const TAGS = "'*', or ETags in their quotes with commas between them";

/** The tags of a text; undefined for one that holds none. */
export function parseTags(given: string): EntityTags | undefined {
  const text = given.trim();
  if (text === '*') return '*';
  if (!LIST.test(text)) return undefined;
  return [...text.matchAll(TAG)].map(([, weak, value = '']) => ({ isWeak: weak !== undefined, value }));
}

/** The strong comparison of RFC 9110, section 8.8.3.2. */
export function matchesStrongly(one: EntityTag, other: EntityTag): boolean {
  return !one.isWeak && !other.isWeak && one.value === other.value;
}

/** RFC 9110, section 8.8.3; elements of a list may be empty. */
const ETAG = '(W/)?"([\\x21\\x23-\\x7e\\x80-\\xff]*)"';
const TAG = new RegExp(ETAG, 'g');
const LIST = new RegExp(`^[\\s,]*${ETAG}(?:\\s*,[\\s,]*${ETAG})*[\\s,]*$`);

function unsupported(header: string, detail: string): ApiError {
  return new ApiError('unsupported-header', detail, { source: { header } });
}
