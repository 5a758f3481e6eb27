import { ApiError } from '../errors/api-error.js';
import { quote } from '../errors/quote.js';

/** The JSON:API media type. Answers carry it without any parameter (JSON:API 1.1, content negotiation). */
export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json';

/** Where an `Accept` does not have even this, it cannot name the media type. */
const NAMED = /vnd\.api\+json/i;

/** Extensions of JSON:API that this server applies: none so far. Profiles need no list, an unknown one is ignored. */
const SUPPORTED_EXTENSIONS: ReadonlySet<string> = new Set();

/**
 * Refuses a request whose `Accept` leaves no way to answer it in JSON:API: every instance of the JSON:API media type in it carries a
 * foreign parameter, an unsupported extension, or the weight 0 (JSON:API 1.1, server responsibilities). An `Accept` that does not name the
 * media type is answered normally.
 *
 * @param header - as Node gives it; repeated headers may come as an array
 * @throws ApiError `not-acceptable`
 */
export function checkAccept(header: string | readonly string[] | undefined): void {
  const text = typeof header === 'string' ? header : (header?.join(',') ?? '');
  if (!NAMED.test(text)) return;
  const ranges = splitUnquoted(text, ',').map(parseMediaType);
  const instances = ranges.filter(({ name }) => name === JSON_API_MEDIA_TYPE);
  if (instances.length === 0 || instances.some(isAcceptable)) return;
  throw new ApiError(
    'not-acceptable',
    `Every '${JSON_API_MEDIA_TYPE}' in Accept has a parameter or an extension that this server does not support. Send it without parameters.`,
    { source: { header: 'Accept' } },
  );
}

/**
 * Refuses a request body that is not JSON:API (decision D1): the JSON:API media type with no parameters but `profile` and a supported
 * `ext`, or `application/json` unless `strict`. A form or a plain text is refused too, since a page of any origin can send those (CSRF).
 * For requests that have a body; the content type of an empty one says nothing.
 *
 * @throws ApiError `unsupported-media-type`
 */
export function checkContentType(header: string | readonly string[] | undefined, strict: boolean): void {
  const mediaType = parseMediaType([header ?? ''].flat().join(','));
  if (mediaType.name === 'application/json' && !strict) return;
  if (mediaType.name !== JSON_API_MEDIA_TYPE) {
    const also = strict ? '' : " or 'application/json'";
    throw unsupported(`The request body must be sent as '${JSON_API_MEDIA_TYPE}'${also}.`);
  }
  for (const parameter of mediaType.parameters) checkParameter(parameter);
}

function checkParameter([name, value]: Parameter): void {
  if (name !== 'ext' && name !== 'profile') throw unsupported(`'${JSON_API_MEDIA_TYPE}' has no parameter ${quote(name)}. Leave it out.`);
  if (name === 'ext' && !isSupported(value)) throw unsupported('This server does not support that extension of JSON:API. Leave ext out.');
}

type Parameter = readonly [name: string, value: string];

interface MediaType {
  /** Type and subtype, in lower case. */
  readonly name: string;
  /** Names in lower case, values unquoted. */
  readonly parameters: readonly Parameter[];
}

function unsupported(detail: string): ApiError {
  return new ApiError('unsupported-media-type', detail, { source: { header: 'Content-Type' } });
}

/** `q` is the weight of the range, not a parameter of the media type. */
function isAcceptable({ parameters }: MediaType): boolean {
  return parameters.every(([name, value]) => {
    if (name === 'q') return Number(value) !== 0;
    return name === 'profile' || (name === 'ext' && isSupported(value));
  });
}

/** Whether all extensions of an `ext` value, a list of URIs with spaces between, are applied here. */
function isSupported(extensions: string): boolean {
  return extensions.split(' ').every((uri) => uri === '' || SUPPORTED_EXTENSIONS.has(uri));
}

function parseMediaType(text: string): MediaType {
  const [name = '', ...parameters] = splitUnquoted(text, ';').map((part) => part.trim());
  return { name: name.toLowerCase(), parameters: parameters.filter((parameter) => parameter !== '').map(parseParameter) };
}

function parseParameter(text: string): Parameter {
  const equals = text.indexOf('=');
  if (equals < 0) return [text.toLowerCase(), ''];
  return [text.slice(0, equals).trim().toLowerCase(), unquote(text.slice(equals + 1).trim())];
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : value;
}

/** Splits at every separator outside quoted strings (RFC 9110, section 5.6.4). */
function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted && character === '\\') index++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}
