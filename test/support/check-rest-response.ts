import { checkAgainstSchema } from './json-api-schema.js';
import { checkDocument } from './check-document.js';
import { findLeaks } from './find-leaks.js';
import type { ErrorObject, JsonApiDocument, Links, ResourceObject } from './json-api-document.js';

/** A response as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface RestRules {
  /** Whether the API runs with `rest.strict`. */
  readonly strict: boolean;
  /** Every link must begin with it. */
  readonly endpoint: string;
  /** The request was a HEAD. */
  readonly bodiless?: boolean;
}

const MEDIA_TYPE = 'application/vnd.api+json';

/** Pages of cursors name their profile, with or without a slash at its end. */
const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination';
const TYPES: ReadonlySet<string> = new Set([MEDIA_TYPE, `${MEDIA_TYPE};profile="${PROFILE}/"`, `${MEDIA_TYPE};profile="${PROFILE}"`]);

/**
 * Checks what each response of REST has to fulfil: media type, JSON Schema, the rules that no schema has, agreement of status and body, links
 * below the endpoint, and error bodies that reveal nothing.
 *
 * @returns one sentence per breach
 */
export function checkRestResponse(response: RawResponse, rules: RestRules): readonly string[] {
  if (response.status === 204 || response.status === 304) return checkEmpty(response);
  const faults = checkHeaders(response);
  if (rules.bodiless) return [...faults, ...(response.text === '' ? [] : ['A HEAD must not be answered with a body.'])];
  const document = parse(response.text);
  if (document === undefined) return [...faults, 'The body is not a JSON object.'];
  return [
    ...faults,
    ...checkAgainstSchema(document, rules.strict ? 'strict' : 'seed'),
    ...checkDocument(document),
    ...(response.status < 400 ? checkSuccess(document, rules) : checkFailure(document, response, rules)),
  ];
}

function checkEmpty({ headers, text }: RawResponse): readonly string[] {
  return [
    ...(text === '' ? [] : ['A 204 and a 304 must have no body.']),
    ...(headers['content-type'] === undefined ? [] : ['A 204 and a 304 must have no content type.']),
  ];
}

function checkHeaders({ headers }: RawResponse): readonly string[] {
  const type = headers['content-type'];
  const vary = String(headers['vary'] ?? '').toLowerCase();
  return [
    ...(TYPES.has(String(type)) ? [] : [`The content type is ${JSON.stringify(type)} rather than '${MEDIA_TYPE}'.`]),
    ...(vary.split(/\s*,\s*/).includes('accept') ? [] : [`Vary is '${vary}' and lacks Accept.`]),
  ];
}

function parse(text: string): JsonApiDocument | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function checkSuccess(document: JsonApiDocument, { endpoint }: RestRules): readonly string[] {
  return [
    ...(document.errors === undefined ? [] : ['A success must not carry errors.']),
    ...(document.jsonapi?.version === '1.1' ? [] : ["A success must carry jsonapi.version '1.1'."]),
    ...linksOf(document)
      .filter((link) => link !== endpoint && !link.startsWith(`${endpoint}/`))
      .map((link) => `The link ${link} does not begin with the endpoint.`),
  ];
}

function linksOf(document: JsonApiDocument): readonly string[] {
  const resources = [document.data ?? [], document.included ?? []].flat() as readonly Partial<ResourceObject>[];
  const holders = [document, ...resources, ...resources.flatMap(({ relationships }) => Object.values(relationships ?? {}))];
  const links = holders.flatMap(({ links }: { readonly links?: Links }): readonly unknown[] => Object.values(links ?? {}));
  return links.filter((link) => link !== null).map((link) => (typeof link === 'string' ? link : (link as LinkObject).href));
}

interface LinkObject {
  readonly href: string;
}

function checkFailure(document: JsonApiDocument, { status, text }: RawResponse, { strict }: RestRules): readonly string[] {
  const errors = document.errors ?? [];
  if (errors.length === 0) return [`A ${status} must carry at least one error.`];
  return [...errors.flatMap((error) => checkError(error, strict)), ...checkStatus(errors, status), ...findLeaks(text)];
}

function checkError(error: ErrorObject, strict: boolean): readonly string[] {
  const missing = (['code', 'title', 'detail'] as const).filter((name) => typeof error[name] !== 'string' || error[name] === '');
  return [
    ...missing.map((name) => `An error lacks '${name}'.`),
    ...(typeof error.status === (strict ? 'string' : 'number') ? [] : [`An error's status is ${JSON.stringify(error.status)}.`]),
  ];
}

/** "the most generally applicable HTTP error code": theirs where they agree, else 400 or 500. */
function checkStatus(errors: readonly ErrorObject[], status: number): readonly string[] {
  const statuses = new Set(errors.map((error) => Number(error.status)));
  const expected = statuses.size === 1 ? [...statuses] : [400, 500];
  return expected.includes(status) ? [] : [`The status is ${status}, but the errors say ${[...statuses].join(', ')}.`];
}
