import { nullForJson } from '../../model/values/json-value.js';
import type { Attribute } from '../../model/surface/surface.js';
import { readJson } from '../../model/values/scalar-types.js';
import { bodyError } from './body-error.js';
import { collect } from './collect.js';
import { memberPointer } from './json-pointer.js';

/**
 * Reads the value of one attribute from a body, in its JSON form or already revived by serialization metadata. Json values pass as they are;
 * null is the data client's own value for it.
 *
 * @throws ApiError `invalid-value`, for a list at the element that is none
 */
export function parseAttributeValue(attribute: Attribute, value: unknown, pointer: string): unknown {
  if (value === null) return parseNull(attribute, pointer);
  if (!attribute.list) return parseElement(attribute, value, pointer);
  if (!Array.isArray(value)) throw bodyError('invalid-value', pointer, `'${attribute.member}' must be an array.`);
  const items = [...value.entries()] as readonly (readonly [number, unknown])[];
  return collect(items, ([index, item]) => parseElement(attribute, item, memberPointer(pointer, index)));
}

/** A Json field has a null of its own. */
function parseNull(attribute: Attribute, pointer: string): unknown {
  const { member, optional, list, type } = attribute;
  if (!list && type === 'Json') return nullForJson(attribute);
  if (!list && optional) return null;
  throw bodyError('invalid-value', pointer, `'${member}' must not be null.`);
}

function parseElement(attribute: Attribute, value: unknown, pointer: string): unknown {
  const reading = readJson(attribute, value);
  if ('value' in reading) return reading.value;
  const subject = attribute.list ? `An element of '${attribute.member}'` : `'${attribute.member}'`;
  throw bodyError('invalid-value', pointer, `${subject} must be ${reading.expected}.`);
}
