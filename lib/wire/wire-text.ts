import type { Attribute } from '../model/surface/surface.js';
import { isLike } from '../utils/is-like.js';
import { annotationOf, BASE64, BIGINT, DATE, DECIMAL, NUMBER } from './encode-scalar.js';
import type { Annotation } from './serialization.js';

type TypeName = Attribute['type'];

/**
 * What values of a type look like that JSON has no form for, and what is noted of them. A data client gives a Date, a bigint, a Decimal; SQL
 * reads give the text that it would become.
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
  // Most are of these, and an expression takes several times as long to say so.
  if (type === 'DateTime' && isLike(value, USUAL_DATE)) return true;
  return WIRE_TEXTS[type]?.form.test(value) === true;
}

/** A time with a year of four digits. */
const USUAL_DATE = '0000-00-00T00:00:00.000Z';

/** What is noted of such texts. */
export function annotationOfType(type: TypeName): Annotation | undefined {
  return WIRE_TEXTS[type]?.annotation;
}

/** What is noted of a scalar in the place of a type: a text in its wire form stands for a value of it; any other value is what it is. */
export function annotationOfTyped(type: TypeName, value: unknown): Annotation | undefined {
  return isWireText(type, value) ? annotationOfType(type) : annotationOf(value, 'base64');
}
