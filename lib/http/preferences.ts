import { ApiError } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import type { ApiRequest } from './api-request.js';

/** The one preference that an endpoint can fulfil, beside `handling`. */
interface Offer<Value> {
  /** In lower case. */
  readonly name: string;
  /** What a value of it means here; undefined for one that cannot be fulfilled. */
  readonly read: (value: string, isStrict: boolean) => Value | undefined;
}

/** A preference that is applied. */
export interface Preferred<Value> {
  readonly value: Value;
  /** `Preference-Applied` of the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads `Prefer` (RFC 7240). What the endpoint does not know, or cannot fulfil, is ignored; with `handling=strict` it is refused (PF-01).
 *
 * @param offer absent where an endpoint fulfils none
 * @returns undefined where nothing of it is applied
 * @throws ApiError `unsupported-header`
 */
export function preferenceOf<Value>({ headers }: Pick<ApiRequest, 'headers'>, offer?: Offer<Value>): Preferred<Value> | undefined {
  const header = headers['prefer'];
  if (header === undefined) return undefined;
  const given = readPreferences([header].flat().join(','));
  const isStrict = given.get('handling')?.toLowerCase() === 'strict';
  const applied = offer && applyOffer(offer, given, isStrict);
  if (isStrict) requireFulfilled(given, applied && offer.name);
  return applied;
}

function applyOffer<Value>(
  { name, read }: Offer<Value>,
  given: ReadonlyMap<string, string>,
  isStrict: boolean,
): Preferred<Value> | undefined {
  const asked = given.get(name);
  const value = asked === undefined ? undefined : read(asked, isStrict);
  if (asked === undefined || value === undefined) return undefined;
  const applied = asked === '' ? name : `${name}=${asked}`;
  return { value, headers: { 'Preference-Applied': `${applied}${isStrict ? ', handling=strict' : ''}` } };
}

function requireFulfilled(given: ReadonlyMap<string, string>, applied: string | undefined): void {
  const unfulfilled = [...given.keys()].find((name) => name !== 'handling' && name !== applied);
  if (unfulfilled === undefined) return;
  const text = [unfulfilled, given.get(unfulfilled)].filter((part) => part !== '').join('=');
  throw new ApiError('unsupported-header', `The preference '${cut(text)}' cannot be fulfilled here, and handling=strict asks to say so.`, {
    source: { header: 'Prefer' },
  });
}

/** By name, in lower case. Of a preference that is there twice the first counts (RFC 7240, section 2); parameters of a preference mean nothing here. */
function readPreferences(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, token] of text.matchAll(PREFERENCE)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? token ?? '');
  }
  return found;
}

const TOKEN = "[!#$%&'*+.^_`|~\\dA-Za-z-]+";
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
const PREFERENCE = new RegExp(
  `(?:^|,)\\s*(${TOKEN})(?:\\s*=\\s*(?:${QUOTED}|(${TOKEN})))?(?:\\s*;[^,"]*(?:"(?:[^"\\\\]|\\\\.)*"[^,"]*)*)?`,
  'g',
);
