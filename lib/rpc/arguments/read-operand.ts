import { nullForJson } from '../../model/values/json-value.js';
import type { Attribute } from '../../model/surface/surface.js';
import { readJson } from '../../model/values/scalar-types.js';
import type { ArgumentPath } from './argument-path.js';

/**
 * One value of an attribute's type in a typed slot: revived by metadata or converted by the field's type, never an object where a scalar is
 * due (security case 13). Null and undefined are no values.
 */
export function readValue(attribute: Attribute, value: unknown, path: ArgumentPath): unknown {
  if (value === null) path.refuse('must not be null.', 'invalid-value');
  const reading = value === undefined ? { expected: 'a value' } : readJson(attribute, value);
  if ('expected' in reading) path.refuse(`must be ${reading.expected}.`, 'invalid-value');
  return reading.value;
}

/** Like {@link readValue}, with null where the field may be null. */
export function readNullable(attribute: Attribute, value: unknown, path: ArgumentPath): unknown {
  return value === null && attribute.optional ? null : readValue(attribute, value, path);
}

/** A list of values, e.g. the operand of `in`. */
export function readValues(attribute: Attribute, value: unknown, path: ArgumentPath): readonly unknown[] {
  if (!Array.isArray(value)) path.refuse('must be a list.', 'invalid-value');
  return value.map((element, index) => readElement(attribute, element, path.element(index)));
}

/** An element of a list: the JSON value null is one, SQL's NULL is none. */
export function readElement(attribute: Attribute, value: unknown, path: ArgumentPath): unknown {
  return attribute.type === 'Json' && value === null ? null : readValue(attribute, value, path);
}

/** A new value of the field: null empties it. */
export function readNewValue(attribute: Attribute, value: unknown, path: ArgumentPath): unknown {
  return attribute.type === 'Json' && value === null ? nullForJson(attribute) : readNullable(attribute, value, path);
}
