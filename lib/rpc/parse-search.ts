import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../errors/did-you-mean.js';
import { quote } from '../errors/quote.js';

/** The query parameters of an RPC request. */
export interface RpcSearch {
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
