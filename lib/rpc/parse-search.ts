import { ApiError } from '../errors/api-error.js';
import { didYouMean } from '../errors/did-you-mean.js';
import { quote } from '../errors/quote.js';

/** The query parameters of an RPC request. */
export interface RpcSearch {
  readonly q?: string;
  readonly meta?: string;
}

/**
 * Reads a query string strictly: percent-encoded UTF-8, each parameter at most once. Names of the letters a to z belong to this protocol,
 * so an unknown one is a mistake (decision D12, for both styles); others (`_`, `utm_source`) are left to caches and gateways.
 */
export function parseSearch(search: string): RpcSearch {
  if (search === '') return {};
  const found: { q?: string; meta?: string } = {};
  for (const pair of search.split('&')) {
    const equals = pair.indexOf('=');
    const name = decodeText(equals < 0 ? pair : pair.slice(0, equals));
    if (!/^[a-z]+$/i.test(name)) continue;
    if (!isKnown(name)) {
      throw new ApiError('unsupported-parameter', `There is no query parameter ${quote(name)}.${didYouMean(name, NAMES)}`);
    }
    if (found[name] !== undefined) throw new ApiError('unsupported-parameter', `The query parameter ${name} is there twice.`);
    found[name] = decodeText(equals < 0 ? '' : pair.slice(equals + 1));
  }
  return found;
}

const NAMES = ['q', 'meta'] as const;

function isKnown(name: string): name is (typeof NAMES)[number] {
  return name === 'q' || name === 'meta';
}

/** What needs no decoding. */
const PLAIN = /^[^%+]*$/;

function decodeText(text: string): string {
  if (PLAIN.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new ApiError('unsupported-parameter', 'The query string is not percent-encoded UTF-8.');
  }
}
