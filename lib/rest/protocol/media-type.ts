import { ApiError } from '../../errors/api-error.js';
import { quote } from '../../errors/quote.js';
import { type MediaType, type Parameter, parseAccept, parseMediaType } from '../../http/parse-media-type.js';
import { CURSOR_PROFILE } from '../projection/page.js';
import type { ExportFormat } from '../../options/rest-settings.js';

/** The JSON:API media type. Responses have it without parameters (JSON:API 1.1, content negotiation), unless an extension or a profile applies. */
export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json';

/** Media type of a QUERY request's body: the query string that the URL of the same GET request would have (RFC 10008). */
export const QUERY_MEDIA_TYPE = 'application/x-www-form-urlencoded';

/** Cheap pre-check: an `Accept` header without a match cannot name the JSON:API media type. */
const NAMES_JSON_API = /vnd\.api\+json/i;

/** URI of the Atomic Operations extension (AO-01). It is compared exactly, without normalization. */
export const ATOMIC_EXTENSION = 'https://jsonapi.org/ext/atomic';

/** Media type of responses to operations (AO-04). */
export const ATOMIC_MEDIA_TYPE = `${JSON_API_MEDIA_TYPE};ext="${ATOMIC_EXTENSION}"`;

/** URIs of the JSON:API extensions that a URL supports. Profiles are not listed, because unknown profiles are ignored. */
export type Extensions = ReadonlySet<string>;

export const NO_EXTENSIONS: Extensions = new Set();
export const WITH_OPERATIONS: Extensions = new Set([ATOMIC_EXTENSION]);

/**
 * Rejects a request whose `Accept` allows no JSON:API response: each JSON:API media type in it has an unknown parameter, an unsupported
 * extension, or the weight 0 (JSON:API 1.1, server responsibilities). An `Accept` that does not name the media type is accepted.
 *
 * @param header - as Node gives it; repeated headers may come as an array
 * @throws ApiError `not-acceptable`
 */
export function checkAccept(header: string | readonly string[] | undefined, extensions = NO_EXTENSIONS): void {
  if (header === undefined) return;
  const text = typeof header === 'string' ? header : header.join(',');
  if (requestedExport(text) && !acceptsDocument(text)) throw notExported();
  if (!NAMES_JSON_API.test(text)) return;
  const ranges = parseAccept(text);
  const instances = ranges.filter(({ name }) => name === JSON_API_MEDIA_TYPE);
  if (instances.length === 0 || instances.some((instance) => isAcceptable(instance, extensions))) return;
  throw new ApiError('not-acceptable', refusalOfAll(instances, extensions), { source: { header: 'Accept' } });
}

function refusalOfAll(instances: readonly MediaType[], extensions: Extensions): string {
  const unweighted = instances.map(({ name, parameters }) => ({ name, parameters: parameters.filter(isNoWeight) }));
  if (unweighted.every((instance) => isAcceptable(instance, extensions)))
    return `Accept excludes '${JSON_API_MEDIA_TYPE}' by the weight 0 (q=0), and this URL has no other media type. Send it without q.`;
  return `Every '${JSON_API_MEDIA_TYPE}' in Accept has a parameter or an extension that this server does not support. Send it without parameters.`;
}

function isNoWeight([name]: Parameter): boolean {
  return name !== 'q';
}

function notExported(): ApiError {
  return new ApiError('not-acceptable', `This URL has no export: it is answered as '${JSON_API_MEDIA_TYPE}' alone.`, {
    source: { header: 'Accept' },
  });
}

/**
 * Rejects a request body whose content type is not JSON:API.
 *
 * Accepts the JSON:API media type with no parameters but `profile` and a supported `ext`, and `application/json` unless `strict`. Forms and
 * plain text are rejected because a page of any origin can send them (CSRF). Call this only for requests that have a body.
 *
 * @throws ApiError `unsupported-media-type`
 */
export function checkContentType(header: string | readonly string[] | undefined, strict: boolean, extensions = NO_EXTENSIONS): void {
  if (strict || header !== JSON_API_MEDIA_TYPE) requireJsonApi(header, strict, extensions);
}

function requireJsonApi(header: string | readonly string[] | undefined, strict: boolean, extensions: Extensions): void {
  const mediaType = parseMediaType([header ?? ''].flat().join(','));
  if (mediaType.name === 'application/json' && !strict) return;
  if (mediaType.name !== JSON_API_MEDIA_TYPE) {
    const also = strict ? '' : " or 'application/json'";
    throw unsupported(`The request body must be sent as '${JSON_API_MEDIA_TYPE}'${also}.`);
  }
  for (const parameter of mediaType.parameters) checkParameter(parameter, extensions);
  if (strict) requireExtension(mediaType, extensions);
}

/**
 * Rejects a QUERY request whose content type is not that of a form, even if its body is empty (RFC 10008, section 2).
 *
 * @throws ApiError `unsupported-media-type`
 */
export function checkQueryType(header: string | readonly string[] | undefined): void {
  if (parseMediaType([header ?? ''].flat().join(',')).name === QUERY_MEDIA_TYPE) return;
  throw new ApiError('unsupported-media-type', `The body of a QUERY must be sent as '${QUERY_MEDIA_TYPE}'.`, {
    source: { header: 'Content-Type' },
    headers: { 'Accept-Query': QUERY_MEDIA_TYPE },
  });
}

/** Returns the media type of a page between cursors, with the profile URI that the request uses (CP-13). */
export function cursorMediaType(accept: string | readonly string[] | undefined): string {
  const text = [accept ?? ''].flat().join(',');
  const profiles = NAMES_JSON_API.test(text) ? parseAccept(text).flatMap(profilesOf) : [];
  const isShort = profiles.includes(SHORT_PROFILE) && !profiles.includes(CURSOR_PROFILE);
  return `${JSON_API_MEDIA_TYPE};profile="${isShort ? SHORT_PROFILE : CURSOR_PROFILE}"`;
}

/** The profile's URI in the registry's form, without the trailing slash. */
const SHORT_PROFILE = CURSOR_PROFILE.slice(0, -1);

function profilesOf({ name, parameters }: MediaType): readonly string[] {
  if (name !== JSON_API_MEDIA_TYPE) return [];
  return parameters.flatMap(([parameter, value]) => (parameter === 'profile' ? value.split(' ') : []));
}

/** Requires `ext` at the URL of an extension (AO-02). Called in strict mode only. */
function requireExtension({ parameters }: MediaType, extensions: Extensions): void {
  if (extensions.size === 0 || parameters.some(([name]) => name === 'ext')) return;
  throw unsupported(`The request body must be sent as '${ATOMIC_MEDIA_TYPE}'.`);
}

function checkParameter([name, value]: Parameter, extensions: Extensions): void {
  if (name !== 'ext' && name !== 'profile') throw unsupported(`'${JSON_API_MEDIA_TYPE}' has no parameter ${quote(name)}. Leave it out.`);
  if (name === 'ext' && !isSupported(value, extensions)) throw unsupported(refusal(extensions));
}

function refusal(extensions: Extensions): string {
  if (extensions.size > 0) return `Operations take no extension of JSON:API but '${ATOMIC_EXTENSION}'.`;
  return 'This server does not support that extension of JSON:API. Leave ext out.';
}

function unsupported(detail: string): ApiError {
  return new ApiError('unsupported-media-type', detail, { source: { header: 'Content-Type' } });
}

/** Whether all parameters of a JSON:API media type in `Accept` are supported. `q` is the weight of the range, not a parameter of the media type. */
function isAcceptable({ parameters }: MediaType, extensions: Extensions): boolean {
  return parameters.every(([name, value]) => {
    if (name === 'q') return Number(value) !== 0;
    return name === 'profile' || (name === 'ext' && isSupported(value, extensions));
  });
}

/** Whether all extensions in an `ext` value, a list of URIs separated by spaces, are supported. */
function isSupported(given: string, extensions: Extensions): boolean {
  return given.split(' ').every((uri) => uri === '' || extensions.has(uri));
}

/** An export that the `Accept` header requests. */
export interface RequestedExport {
  readonly format: ExportFormat;
  /** Media type of the response: the requested name, for CSV with its parameters. */
  readonly mediaType: string;
}

/** The media types of exports, by their names in `Accept`. */
const EXPORT_TYPES: Readonly<Record<string, RequestedExport>> = {
  'application/x-ndjson': { format: 'ndjson', mediaType: 'application/x-ndjson' },
  'application/jsonl': { format: 'ndjson', mediaType: 'application/jsonl' },
  'text/csv': { format: 'csv', mediaType: 'text/csv; charset=utf-8; header=present' },
};

/** Cheap pre-check: an `Accept` header without a match cannot name an export. */
const NAMES_EXPORT = /ndjson|jsonl|csv/i;

/** Parameters that every export satisfies. `Accept` may name them, with these values only. */
const PARAMETERS: Readonly<Record<string, string>> = { charset: 'utf-8', header: 'present' };

/**
 * Returns the export that `Accept` prefers to a JSON:API document; undefined if it prefers a document or names no export.
 * A range of types never chooses an export (SE-02).
 */
export function requestedExport(header: string | readonly string[] | undefined): RequestedExport | undefined {
  if (header === undefined) return undefined;
  const text = typeof header === 'string' ? header : header.join(',');
  if (!NAMES_EXPORT.test(text)) return undefined;
  const ranges = parseAccept(text);
  const [best] = ranges.flatMap((range) => exportOf(range)).toSorted((one, other) => other.weight - one.weight);
  if (!best) return undefined;
  const { weight, isNamed } = documentIn(ranges);
  return weight > best.weight || (weight === best.weight && isNamed) ? undefined : best.requested;
}

/** Whether `Accept` allows a JSON:API document. */
function acceptsDocument(header: string | readonly string[]): boolean {
  return documentIn(parseAccept([header].flat().join(','))).weight > 0;
}

interface Weighted {
  readonly requested: RequestedExport;
  readonly weight: number;
}

function exportOf(range: MediaType): readonly Weighted[] {
  const requested = Object.hasOwn(EXPORT_TYPES, range.name) ? EXPORT_TYPES[range.name] : undefined;
  const weight = weightOf(range);
  const isKept = range.parameters.every(([name, value]) => name === 'q' || PARAMETERS[name] === value.toLowerCase());
  return requested && isKept && weight > 0 ? [{ requested, weight }] : [];
}

/** Returns the weight of a JSON:API document, and whether `Accept` names its media type rather than a range. */
function documentIn(ranges: readonly MediaType[]): { readonly weight: number; readonly isNamed: boolean } {
  for (const names of DOCUMENT_RANGES) {
    const found = ranges.filter(({ name }) => names.includes(name));
    if (found.length > 0) return { weight: Math.max(...found.map(weightOf)), isNamed: names === DOCUMENT_RANGES[0] };
  }
  return { weight: 0, isNamed: false };
}

/** Ranges that match a document, the most specific first. The most specific match determines the weight (RFC 9110, section 12.5.1). */
const DOCUMENT_RANGES: readonly (readonly string[])[] = [['application/vnd.api+json', 'application/json'], ['application/*'], ['*/*']];

function weightOf({ parameters }: MediaType): number {
  const [, weight = '1'] = parameters.find(([name]) => name === 'q') ?? [];
  return Number(weight) || 0;
}
