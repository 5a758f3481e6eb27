import { isJsonNull, JSON_NULL, nullForJson } from '../model/values/json-value.js';
import type { Attribute } from '../model/surface/surface.js';
import type { RecordValues, CheckedRecord } from './record-check.js';

/** Returns the values of a record for a validator of the application. Prisma's Json nulls become plain `null`. */
export function shownValues({ values }: CheckedRecord): RecordValues {
  return mapValues(values, (value) => (Array.isArray(value) ? value.map(showElement) : showElement(value)));
}

/**
 * Returns the values to write from those that a validator returned. A value that the validator did not change is written as it was parsed. Other
 * values are written without a check of their type, for which the application is responsible.
 *
 * @param shown the values that the validator received
 * @throws TypeError for a name that is not a plain field of the model; this is a mistake of the application, not of the client
 */
export function storedValues(returned: RecordValues, shown: RecordValues, { resource, action, values }: CheckedRecord): RecordValues {
  const given = Object.entries(returned).filter(([, value]) => value !== undefined);
  return mapValues(Object.fromEntries(given), (value, name) => {
    const field = resource.fields.get(name);
    if (field?.kind !== 'attribute') {
      throw new TypeError(`The validator of ${resource.model} for ${action} returned '${name}', which is no plain field of the API.`);
    }
    return Object.hasOwn(shown, name) && Object.is(shown[name], value) ? values[name] : storedValue(field, value);
  });
}

function showElement(value: unknown): unknown {
  return isJsonNull(value) ? null : value;
}

function storedValue(attribute: Attribute, value: unknown): unknown {
  if (attribute.type !== 'Json') return value;
  if (attribute.list && Array.isArray(value)) return value.map((element: unknown) => element ?? JSON_NULL);
  return value ?? nullForJson(attribute);
}

function mapValues(values: RecordValues, map: (value: unknown, name: string) => unknown): RecordValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
