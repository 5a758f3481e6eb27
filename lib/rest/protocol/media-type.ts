import { ApiError } from '../../errors/api-error.js';
import { quote } from '../../errors/quote.js';
import { askedExport, asksForDocument } from './export-types.js';
import { type MediaType, type Parameter, parseAccept, parseMediaType } from './parse-media-type.js';
import { CURSOR_PROFILE } from '../projection/page.js';

/** The JSON:API media type. Answers carry it without any parameter (JSON:API 1.1, content negotiation). */
export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json';

/** The media type of what QUERY asks: the query string of the URL that GET would have, in the body (RFC 10008). */
export const QUERY_MEDIA_TYPE = 'application/x-www-form-urlencoded';

/** Where an `Accept` does not have even this, it cannot name the media type. */
const NAMED = /vnd\.api\+json/i;

/** The Atomic Operations extension (AO-01). Its URI is compared as it is. */
export const ATOMIC_EXTENSION = 'https://jsonapi.org/ext/atomic';

/** The type of answers that it has shaped (AO-04). */
export const ATOMIC_MEDIA_TYPE = `${JSON_API_MEDIA_TYPE};ext="${ATOMIC_EXTENSION}"`;

/** URIs of the extensions of JSON:API that a URL takes. Profiles need no list, an unknown one is ignored. */
export type Extensions = ReadonlySet<string>;

export const NO_EXTENSIONS: Extensions = new Set();
export const WITH_OPERATIONS: Extensions = new Set([ATOMIC_EXTENSION]);

/**
 * Refuses a request whose `Accept` leaves no way to answer it in JSON:API: every instance of the JSON:API media type in it carries a
 * foreign parameter, an unsupported extension, or the weight 0 (JSON:API 1.1, server responsibilities). An `Accept` that does not name the
 * media type is answered normally.
 *
 * @param header - as Node gives it; repeated headers may come as an array
 * @throws ApiError `not-acceptable`
 */
export function checkAccept(header: string | readonly string[] | undefined, extensions = NO_EXTENSIONS): void {
  const text = typeof header === 'string' ? header : (header?.join(',') ?? '');
  if (askedExport(text) && !asksForDocument(text)) throw notExported();
  if (!NAMED.test(text)) return;
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
 * Refuses a request body that is not JSON:API (decision D1): the JSON:API media type with no parameters but `profile` and a supported
 * `ext`, or `application/json` unless `strict`. A form or a plain text is refused too, since a page of any origin can send those (CSRF).
 * For requests that have a body; the content type of an empty one says nothing.
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
 * Refuses the body of a QUERY that is not said to be a form: RFC 10008, section 2, also where it is empty.
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

/** The type of pages between cursors, with their profile as the request spells it (CP-13). */
export function cursorMediaType(accept: string | readonly string[] | undefined): string {
  const text = [accept ?? ''].flat().join(',');
  const profiles = NAMED.test(text) ? parseAccept(text).flatMap(profilesOf) : [];
  const isShort = profiles.includes(SHORT_PROFILE) && !profiles.includes(CURSOR_PROFILE);
  return `${JSON_API_MEDIA_TYPE};profile="${isShort ? SHORT_PROFILE : CURSOR_PROFILE}"`;
}

/** As the registry of profiles spells it. */
const SHORT_PROFILE = CURSOR_PROFILE.slice(0, -1);

function profilesOf({ name, parameters }: MediaType): readonly string[] {
  if (name !== JSON_API_MEDIA_TYPE) return [];
  return parameters.flatMap(([parameter, value]) => (parameter === 'profile' ? value.split(' ') : []));
}

/** Strict: what a URL is for is named (AO-02). */
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

/** `q` is the weight of the range, not a parameter of the media type. */
function isAcceptable({ parameters }: MediaType, extensions: Extensions): boolean {
  return parameters.every(([name, value]) => {
    if (name === 'q') return Number(value) !== 0;
    return name === 'profile' || (name === 'ext' && isSupported(value, extensions));
  });
}

/** Whether all extensions of an `ext` value, a list of URIs with spaces between, are applied here. */
function isSupported(given: string, extensions: Extensions): boolean {
  return given.split(' ').every((uri) => uri === '' || extensions.has(uri));
}
