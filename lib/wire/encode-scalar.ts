import { encodeBase64 } from '../utils/base64.js';
import type { Annotation } from './serialization.js';

/** How Bytes are encoded: as base64 with the custom type `Bytes`, or as superjson's list of numbers, for clients that have not registered `Bytes`. */
export type BytesForm = 'base64' | 'typed-array';

export const DATE: Annotation = Object.freeze(['Date'] as const);
export const BIGINT: Annotation = Object.freeze(['bigint'] as const);
export const NUMBER: Annotation = Object.freeze(['number'] as const);
const UNDEFINED: Annotation = Object.freeze(['undefined'] as const);
export const DECIMAL: Annotation = Object.freeze([Object.freeze(['custom', 'Decimal'] as const)] as const);
export const BASE64: Annotation = Object.freeze([Object.freeze(['custom', 'Bytes'] as const)] as const);
const TYPED_ARRAY: Annotation = Object.freeze([Object.freeze(['typed-array', 'Uint8Array'] as const)] as const);

/**
 * Encodes one scalar as JSON by its run-time type, as superjson's `serialize` does.
 *
 * Date: ISO string · bigint, Decimal: string · bytes: base64, or numbers as `typed-array` · `NaN`, `±Infinity`: string · `-0`: 0 ·
 * `undefined` and an invalid Date: null. Other values, including objects and arrays, are returned as they are.
 */
export function encodeScalar(value: unknown, bytes: BytesForm): unknown {
  if (typeof value === 'object' && value !== null) return encodeObject(value, bytes);
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value === 'bigint') return value.toString();
  return value === undefined ? null : value;
}

/**
 * Returns superjson's annotation of one scalar. Returns undefined for values that JSON can represent, and for values that are not scalars.
 *
 * A value with an annotation must also be encoded with {@link encodeScalar}.
 */
export function annotationOf(value: unknown, bytes: BytesForm): Annotation | undefined {
  if (typeof value === 'object' && value !== null) return annotationOfObject(value, bytes);
  if (typeof value === 'number') return isJsonNumber(value) ? undefined : NUMBER;
  if (typeof value === 'bigint') return BIGINT;
  return value === undefined ? UNDEFINED : undefined;
}

/** Whether JSON can represent a number: all but `NaN` and `±Infinity`. `JSON.stringify` writes -0 as 0, which equals it in every database. */
export function isJsonNumber(value: number): boolean {
  return Number.isFinite(value);
}

function encodeNumber(value: number): number | string {
  return isJsonNumber(value) ? value : String(value);
}

function encodeObject(value: object, bytes: BytesForm): unknown {
  if (value instanceof Date) return isValid(value) ? value.toISOString() : null;
  if (value instanceof Uint8Array) return bytes === 'base64' ? encodeBase64(value) : Array.from(value);
  return isDecimal(value) ? value.toJSON() : value;
}

function annotationOfObject(value: object, bytes: BytesForm): Annotation | undefined {
  if (value instanceof Date) return isValid(value) ? DATE : undefined;
  if (value instanceof Uint8Array) return bytes === 'base64' ? BASE64 : TYPED_ARRAY;
  return isDecimal(value) ? DECIMAL : undefined;
}

function isValid(date: Date): boolean {
  return !Number.isNaN(date.getTime());
}

/** Whether a value is a decimal of any copy of decimal.js, as `Decimal.isDecimal` checks it. A Json value cannot pass, because it has no methods. */
export function isDecimal(value: object): value is { toJSON(): string } {
  const { toStringTag, toJSON }: { readonly toStringTag?: unknown; readonly toJSON?: unknown } = value;
  return toStringTag === '[object Decimal]' && typeof toJSON === 'function';
}
