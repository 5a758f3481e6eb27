import { decodeBase64 } from '../utils/base64.js';

/** The decoded value, or a noun phrase for the expected JSON. */
export type Revived = { readonly value: unknown } | { readonly expected: string };

/** Converts the text of a decimal to the caller's decimal type. */
export type ReviveDecimal = (text: string) => unknown;

interface Reader {
  /** The JSON form that the type requires, as a noun phrase. */
  readonly expected: string;
  /** Decodes the JSON; returns undefined for JSON of another form. */
  readonly read: (json: unknown, reviveDecimal: ReviveDecimal) => { readonly value: unknown } | undefined;
}

/**
 * The accepted types, by superjson's names. `class`, `symbol`, `Error`, `regexp`, `URL`, `set`, `map` and other custom types are excluded.
 * Because they let the client choose which code runs, and no database value needs them, they are never decoded.
 */
const SIMPLE: ReadonlyMap<string, Reader> = new Map([
  ['Date', { expected: 'an ISO 8601 date, or date and time with a zone, in a string', read: readDate }],
  ['bigint', { expected: 'an integer in a string', read: readBigint }],
  ['number', { expected: "'NaN', 'Infinity', '-Infinity' or '-0'", read: readNumber }],
  ['undefined', { expected: 'null', read: readUndefined }],
]);

const bytesAsNumbers: Reader = { expected: 'a list of integers from 0 to 255', read: readTypedArray };

const COMPOSITE: ReadonlyMap<string, Reader> = new Map([
  ['custom/Decimal', { expected: 'a decimal number in a string', read: readDecimal }],
  ['custom/Bytes', { expected: 'base64 with padding in a string', read: readBytes }],
  ['typed-array/Uint8Array', bytesAsNumbers],
  ['typed-array/Buffer', bytesAsNumbers],
]);

/** The types that {@link reviveValue} accepts, for error messages. */
export const ACCEPTED_TYPES: readonly string[] = [...SIMPLE.keys(), ...COMPOSITE.keys()];

/** Decodes the JSON of one annotated value. Returns undefined for a type that is not on the allow-list. */
export function reviveValue(json: unknown, type: unknown, reviveDecimal: ReviveDecimal): Revived | undefined {
  const reader = typeof type === 'string' ? SIMPLE.get(type) : isComposite(type) ? COMPOSITE.get(type.join('/')) : undefined;
  if (reader === undefined) return undefined;
  return reader.read(json, reviveDecimal) ?? { expected: reader.expected };
}

/** Returns the name of a type for error messages, even for a malformed annotation. */
export function typeLabel(type: unknown): string {
  if (typeof type === 'string') return type;
  return isComposite(type) ? type.join('/') : 'of an unknown form';
}

function isComposite(type: unknown): type is readonly [string, string] {
  return Array.isArray(type) && type.length === 2 && type.every((part) => typeof part === 'string');
}

const ISO_DATE = /^((?:\d{4}|[+-]\d{6})-\d\d-(\d\d))(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

function readDate(json: unknown): { readonly value: Date } | undefined {
  const [text, day, dayOfMonth] = ISO_DATE.exec(typeof json === 'string' ? json : '') ?? [];
  if (text === undefined || day === undefined) return undefined;
  // JavaScript parses February 30 as March 1.
  if (Number(dayOfMonth) > 28 && new Date(day).getUTCDate() !== Number(dayOfMonth)) return undefined;
  const value = new Date(text);
  return Number.isNaN(value.getTime()) ? undefined : { value };
}

/** The maximum length of a bigint, which is far more than any column allows. The time that `BigInt` takes grows faster than the text. */
const MAX_DIGITS = 10_000;

function readBigint(json: unknown): { readonly value: bigint } | undefined {
  return typeof json === 'string' && json.length <= MAX_DIGITS && /^-?\d+$/.test(json) ? { value: BigInt(json) } : undefined;
}

const SPECIAL_NUMBERS: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity', '-0']);

function readNumber(json: unknown): { readonly value: number } | undefined {
  return SPECIAL_NUMBERS.has(json) ? { value: Number(json) } : undefined;
}

function readUndefined(json: unknown): { readonly value: undefined } | undefined {
  return json === null ? { value: undefined } : undefined;
}

const DECIMAL = /^(?:NaN|-?(?:Infinity|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?))$/;

function readDecimal(json: unknown, reviveDecimal: ReviveDecimal): { readonly value: unknown } | undefined {
  return typeof json === 'string' && DECIMAL.test(json) ? { value: reviveDecimal(json) } : undefined;
}

function readBytes(json: unknown): { readonly value: Uint8Array } | undefined {
  const value = typeof json === 'string' ? decodeBase64(json) : undefined;
  return value && { value };
}

function readTypedArray(json: unknown): { readonly value: Uint8Array } | undefined {
  return Array.isArray(json) && json.every(isOctet) ? { value: Uint8Array.from(json) } : undefined;
}

function isOctet(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255;
}
