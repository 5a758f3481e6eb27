import { nullForJson } from '../../model/values/json-value.js';
import type { Attribute } from '../../model/surface/surface.js';
import { readWritten } from '../../model/values/read-written.js';
import { readJson, remedyForPlus } from '../../model/values/scalar-types.js';
import type { Place } from '../../prisma/place.js';

/**
 * One value of an attribute's type in a typed slot: revived by metadata or converted by the field's type, never an object where a scalar is
 * due (security case 13). Null and undefined are no values.
 */
export function readValue(attribute: Attribute, value: unknown, place: Place, read = readJson): unknown {
  if (value === null) place.refuse('must not be null.', 'invalid-value');
  const reading = value === undefined ? { expected: 'a value' } : read(attribute, value);
  if ('expected' in reading) place.refuse(`must be ${reading.expected}.${remedyForPlus(attribute, value)}`, 'invalid-value');
  return reading.value;
}

/** A value that is written. */
export function readWrittenValue(attribute: Attribute, value: unknown, place: Place): unknown {
  return readValue(attribute, value, place, readWritten);
}

/** A list of values that is written. */
export function readWrittenValues(attribute: Attribute, value: unknown, place: Place): readonly unknown[] {
  if (!Array.isArray(value)) place.refuse('must be a list.', 'invalid-value');
  return value.map((element, index) => readWrittenElement(attribute, element, place.element(index)));
}

/** An element of a list that is written: the JSON value null is one, SQL's NULL is none. */
export function readWrittenElement(attribute: Attribute, value: unknown, place: Place): unknown {
  return attribute.type === 'Json' && value === null ? null : readWrittenValue(attribute, value, place);
}

/** A new value of the field: null empties it. */
export function readNewValue(attribute: Attribute, value: unknown, place: Place): unknown {
  if (value !== null) return readWrittenValue(attribute, value, place);
  if (attribute.type === 'Json') return nullForJson(attribute);
  return attribute.optional ? null : readValue(attribute, value, place);
}
