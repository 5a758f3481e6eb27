import { ApiError } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import type { ApiRequest } from './api-request.js';

/** The preference that an endpoint supports, in addition to `handling`. */
interface Offer<Value> {
  /** In lower case. */
  readonly name: string;
  /** Parses a value of the preference. Returns undefined if the endpoint cannot fulfil it. */
  readonly read: (value: string, isStrict: boolean) => Value | undefined;
}

/** A preference that is applied. */
export interface Preferred<Value> {
  readonly value: Value;
  /** The header `Preference-Applied` of the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the header `Prefer` (RFC 7240). Preferences that the endpoint does not support or cannot fulfil are ignored, or rejected with
 * `handling=strict` (PF-01).
 *
 * @param offer absent if the endpoint supports no preference
 * @returns undefined if no preference is applied
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
  const preference = given.get(name);
  const value = preference === undefined ? undefined : read(preference, isStrict);
  if (preference === undefined || value === undefined) return undefined;
  const applied = preference === '' ? name : `${name}=${preference}`;
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

/**
 * Parses preferences by lower-case name. The first of several with the same name is used (RFC 7240, section 2). Parameters of preferences
 * are ignored.
 */
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
