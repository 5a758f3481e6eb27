import { nullForJson } from '../../model/values/json-value.js';
import type { Attribute } from '../../model/surface/surface.js';
import { readWritten } from '../../model/values/read-written.js';
import { readJson, remedyForPlus } from '../../model/values/scalar-types.js';
import type { Place } from '../../prisma/place.js';

/**
 * Reads one value of an attribute's type. It is revived by metadata or converted by the type; an object is rejected where a scalar is expected
 * (security case 13). Null and undefined are rejected.
 */
export function readValue(attribute: Attribute, value: unknown, place: Place, read = readJson): unknown {
  if (value === null) place.refuse('must not be null.', 'invalid-value');
  const reading = value === undefined ? { expected: 'a value' } : read(attribute, value);
  if ('expected' in reading) place.refuse(`must be ${reading.expected}.${remedyForPlus(attribute, value)}`, 'invalid-value');
  return reading.value;
}

/** Reads a value that is written. */
export function readWrittenValue(attribute: Attribute, value: unknown, place: Place): unknown {
  return readValue(attribute, value, place, readWritten);
}

/** Reads a list of values that is written. */
export function readWrittenValues(attribute: Attribute, value: unknown, place: Place): readonly unknown[] {
  if (!Array.isArray(value)) place.refuse('must be a list.', 'invalid-value');
  return value.map((element, index) => readWrittenElement(attribute, element, place.element(index)));
}

/** Reads an element of a list that is written. The JSON value null is accepted; SQL's NULL is not. */
export function readWrittenElement(attribute: Attribute, value: unknown, place: Place): unknown {
  return attribute.type === 'Json' && value === null ? null : readWrittenValue(attribute, value, place);
}

/** Reads the new value of a field. Null sets an optional field to NULL. */
export function readNewValue(attribute: Attribute, value: unknown, place: Place): unknown {
  if (value !== null) return readWrittenValue(attribute, value, place);
  if (attribute.type === 'Json') return nullForJson(attribute);
  return attribute.optional ? null : readValue(attribute, value, place);
}
