import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../errors/did-you-mean.js';
import { quote } from '../errors/quote.js';
import type { ApiRequest } from '../http/api-request.js';
import { decode } from '../wire/decode.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { RpcOperation } from './protocol/rpc-operations.js';

/** An argument object, with its values revived. */
export type ArgumentObject = Readonly<Record<string, unknown>>;

/**
 * Parses the argument of an operation (specification, section 4.2, "Wire format") from the query parameters `q` and `meta`, or from the JSON body. An
 * operation with `q` also accepts a body, because `X-HTTP-Method-Override` sends arguments that are longer than a URL. The argument of QUERY (RFC
 * 10008) is always in its body.
 */
export function parseArgument(operation: Pick<RpcOperation, 'name' | 'input'>, request: ApiRequest): ArgumentObject {
  const search = parseSearch(request.search);
  if (operation.input === 'q' && !request.hasBody && request.method !== 'QUERY') return parseQuery(search);
  requireAbsent(search, operation.name);
  const body = readJsonBody(request);
  if (!isPlainObject(body)) throw new ApiError('invalid-payload', 'The request body must be a JSON object.');
  return reviveArgument(body);
}

/**
 * Rejects `q` and `meta` for an operation whose argument is in its body.
 *
 * @throws ApiError `unsupported-parameter`
 */
export function requireAbsent({ q, meta }: RpcSearch, name: string): void {
  if (q === undefined && meta === undefined) return;
  throw new ApiError('unsupported-parameter', `The argument of this ${name} is in its body; q and meta must be absent.`);
}

/**
 * Returns the JSON body of an RPC request.
 *
 * @throws ApiError `unsupported-media-type` for any other content type. Browsers send forms and plain text to other origins without a preflight
 * request
 *   (security case 23)
 */
export function readJsonBody(request: ApiRequest): unknown {
  const contentType = request.headers['content-type'];
  if (request.hasBody && !/^\s*application\/json\s*(?:;|$)/i.test(String(contentType))) {
    throw new ApiError('unsupported-media-type', 'The Content-Type of the request body must be application/json.');
  }
  return request.json();
}

/**
 * Applies the `meta: { serialization }` of an argument object and removes it. Any other `meta` is kept as an ordinary argument, which the planner
 * then rejects as unknown. Paths start at the argument or, as in one documented example, at its `data`.
 */
export function reviveArgument(body: ArgumentObject): ArgumentObject {
  const given = body['meta'];
  // Before the copy, which takes long for tens of thousands of members.
  if (!isPlainObject(given) || !Object.hasOwn(given, 'serialization')) return body;
  const { meta, ...args } = body;
  return revive(args, (meta as ArgumentObject)['serialization'], 'data');
}

/** Applies serialization metadata to an object. @throws ApiError `invalid-payload` */
export function revive(args: ArgumentObject, serialization: unknown, alsoUnder?: string): ArgumentObject {
  const decoded = decode(args, serialization, alsoUnder === undefined ? {} : { alsoUnder });
  if ('fault' in decoded) throw new ApiError('invalid-payload', decoded.fault);
  if (!isPlainObject(decoded.value)) throw new ApiError('invalid-payload', 'The argument must be a JSON object.');
  return decoded.value;
}

function parseQuery({ q, meta }: RpcSearch): ArgumentObject {
  const args = q === undefined ? {} : parseObject('q', q);
  const metadata = meta === undefined ? {} : parseObject('meta', meta);
  return Object.hasOwn(metadata, 'serialization') ? revive(args, metadata['serialization']) : args;
}

function parseObject(parameter: string, text: string): ArgumentObject {
  const value = parseJson(parameter, text);
  if (!isPlainObject(value)) throw new ApiError('invalid-payload', `The query parameter ${parameter} must be a JSON object.`);
  return value;
}

function parseJson(parameter: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('invalid-payload', `The query parameter ${parameter} is not valid JSON.`);
  }
}

/** The query parameters of an RPC request. */
interface RpcSearch {
  readonly q?: string;
  readonly meta?: string;
}

/**
 * Parses a query string strictly: percent-encoded UTF-8, each parameter at most once. Names of the letters a to z are reserved for this protocol, so
 * an unknown one is rejected, in both styles. So is a family of such a name, as `q[where][id]=1`, in which `qs`, axios and jQuery
 * encode an object. Other names (`_`, `utm_source`) are ignored, because caches and gateways use them.
 *
 * @throws ApiError `unsupported-parameter`
 */
export function parseSearch(search: string): RpcSearch {
  if (search === '') return {};
  const found: { q?: string; meta?: string } = {};
  for (const pair of search.split('&')) {
    const equals = pair.indexOf('=');
    const name = decodeText(equals < 0 ? pair : pair.slice(0, equals));
    const base = (OWN_NAME.exec(name) ?? OWN_FAMILY.exec(name))?.[1];
    if (base === undefined) continue;
    if (!isKnown(name)) throw new ApiError('unsupported-parameter', `There is no query parameter ${quote(name)}.${remedyFor(base, name)}`);
    if (found[name] !== undefined) throw new ApiError('unsupported-parameter', `The query parameter ${name} is there twice.`);
    found[name] = decodeText(equals < 0 ? '' : pair.slice(equals + 1));
  }
  return found;
}

const NAMES = ['q', 'meta'] as const;

/** A name of letters, alone or as the base of a family: `where[id]`, `where.id`. */
const OWN_NAME = /^\s*([a-z]+)\s*(?:[[.].*)?$/is;
/** The name of a parameter of this protocol with punctuation after it, which is an error. */
const OWN_FAMILY = /^\s*(q|meta)\W/i;

function remedyFor(base: string, name: string): string {
  if (base === name) return didYouMean(name, NAMES);
  if (base.toLowerCase() === 'meta') return ' Send the metadata as one JSON text: meta={"serialization":…}.';
  const example = base.toLowerCase() === 'q' ? 'where' : base;
  return ` Send the argument as one JSON text: q={${JSON.stringify(example)}:…}.`;
}

function isKnown(name: string): name is (typeof NAMES)[number] {
  return name === 'q' || name === 'meta';
}

/** Text without percent-encoding. */
const PLAIN = /^[^%+]*$/;

function decodeText(text: string): string {
  if (PLAIN.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('unsupported-parameter', 'The query string is not percent-encoded UTF-8.');
  }
}
