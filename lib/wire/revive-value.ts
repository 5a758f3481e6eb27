import { decodeBase64 } from '../utils/base64.js';

/** What one annotated value turned out to be, or a noun phrase for what its JSON had to be. */
export type Revived = { readonly value: unknown } | { readonly expected: string };

/** Makes what the caller uses as a decimal from its text; its text itself where this is left out. */
export type ReviveDecimal = (text: string) => unknown;

interface Reader {
  /** The JSON form that the type asks for, as a noun phrase. */
  readonly expected: string;
  /** Undefined when the JSON is not of that form. */
  readonly read: (json: unknown, reviveDecimal: ReviveDecimal) => { readonly value: unknown } | undefined;
}

/**
 * The allow-list, by superjson's names. Left out on purpose: `class`, `symbol`, `Error`, `regexp`, `URL`, `set`, `map`, and custom
 * types that are not ours. No database value needs them, and they let the sender choose what code runs.
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

/** The types that {@link reviveValue} accepts, for error texts. */
export const ACCEPTED_TYPES: readonly string[] = [...SIMPLE.keys(), ...COMPOSITE.keys()];

/** Reads the JSON of one annotated value; undefined when its type is not on the allow-list. */
export function reviveValue(json: unknown, type: unknown, reviveDecimal: ReviveDecimal): Revived | undefined {
  const reader = typeof type === 'string' ? SIMPLE.get(type) : isComposite(type) ? COMPOSITE.get(type.join('/')) : undefined;
  if (reader === undefined) return undefined;
  return reader.read(json, reviveDecimal) ?? { expected: reader.expected };
}

/** How a type is named in error texts, whatever the metadata holds in its place. */
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
  // JavaScript takes February 30 for March 1.
  if (Number(dayOfMonth) > 28 && new Date(day).getUTCDate() !== Number(dayOfMonth)) return undefined;
  const value = new Date(text);
  return Number.isNaN(value.getTime()) ? undefined : { value };
}

/** The time that `BigInt` takes grows faster than the text; no column comes near this. */
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
