import type { Attribute } from '../model/surface/surface.js';
import { toIsoString } from '../utils/to-iso-string.js';
import { encodeBase64 } from '../utils/base64.js';
import { isDecimal, isJsonNumber } from './encode-scalar.js';
import { isWireText } from './wire-text.js';

/**
 * Returns the JSON text of a value of a type.
 * Returns undefined for other values (null, a list, other values of a data client), which must be encoded by their run-time type.
 */
export type ScalarText = (value: unknown) => string | undefined;

const textOfString: ScalarText = (value) => (typeof value === 'string' ? jsonString(value) : undefined);

const textOfNumber: ScalarText = (value) => (typeof value === 'number' && isJsonNumber(value) ? String(value) : undefined);

/** Functions that return the JSON text, by type. A text in the wire form of the type is accepted, because SQL reads return values in this form. */
export const SCALAR_TEXTS: Readonly<Record<Attribute['type'], ScalarText>> = {
  String: textOfString,
  Enum: textOfString,
  Boolean: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  Int: textOfNumber,
  Float: textOfNumber,
  BigInt: (value) => (typeof value === 'bigint' || isWireText('BigInt', value) ? `"${value}"` : undefined),
  Decimal: (value) => {
    if (typeof value === 'string') return isWireText('Decimal', value) ? `"${value}"` : undefined;
    return typeof value === 'object' && value !== null && isDecimal(value) ? jsonString(value.toJSON()) : undefined;
  },
  DateTime: (value) => {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : `"${toIsoString(value)}"`;
    return isWireText('DateTime', value) ? `"${value}"` : undefined;
  },
  Bytes: (value) => {
    if (value instanceof Uint8Array) return `"${encodeBase64(value)}"`;
    return isWireText('Bytes', value) ? `"${value}"` : undefined;
  },
  Json: (value) => JSON.stringify(value),
};

/**
 * Characters that may need escaping in JSON: quotes, backslashes, control characters and surrogates. `JSON.stringify` escapes only unpaired
 * surrogates.
 */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Returns the JSON text of a string, as `JSON.stringify` does. Most strings only need quotes, which is faster. */
export function jsonString(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}
