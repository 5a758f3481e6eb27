import type { Attribute } from '../model/surface/surface.js';
import { matchesPattern } from '../utils/matches-pattern.js';
import { annotationOf, BASE64, BIGINT, DATE, DECIMAL, NUMBER } from './encode-scalar.js';
import type { Annotation } from './serialization.js';

type TypeName = Attribute['type'];

/**
 * The wire form and the annotation of each type that JSON lacks. A data client returns a Date, bigint or Decimal; SQL reads return text in
 * the wire form.
 */
const WIRE_TEXTS: Readonly<Partial<Record<TypeName, { readonly form: RegExp; readonly annotation: Annotation }>>> = {
  DateTime: { form: /^(?:[+-]\d\d)?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, annotation: DATE },
  BigInt: { form: /^-?\d+$/, annotation: BIGINT },
  Decimal: { form: /^(?:-?\d+(?:\.\d+)?(?:e[+-]\d+)?|NaN|-?Infinity)$/, annotation: DECIMAL },
  Bytes: { form: /^[A-Za-z\d+/]*={0,2}$/, annotation: BASE64 },
  Float: { form: /^(?:NaN|-?Infinity)$/, annotation: NUMBER },
};

/** Whether a value is a text in the wire form of a type. */
export function isWireText(type: TypeName, value: unknown): value is string {
  if (typeof value !== 'string') return false;
  // A fast path: most dates match this pattern, and a regular expression takes several times as long.
  if (type === 'DateTime' && matchesPattern(value, USUAL_DATE)) return true;
  return WIRE_TEXTS[type]?.form.test(value) === true;
}

/** The pattern of a date and time with a four-digit year. */
const USUAL_DATE = '0000-00-00T00:00:00.000Z';

/** Returns the annotation of values of a type. */
export function annotationOfType(type: TypeName): Annotation | undefined {
  return WIRE_TEXTS[type]?.annotation;
}

/**
 * Returns the annotation of a scalar in a field of a type. A text in the wire form counts as a value of the type; others are annotated by
 * their run-time type.
 */
export function annotationOfTyped(type: TypeName, value: unknown): Annotation | undefined {
  return isWireText(type, value) ? annotationOfType(type) : annotationOf(value, 'base64');
}
