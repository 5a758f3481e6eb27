import { isJsonNull, JSON_NULL, nullForJson } from '../model/values/json-value.js';
import type { Attribute } from '../model/surface/surface.js';
import type { RecordValues, WrittenRecord } from './record-check.js';

/** The values of a record as a validator of the host expects them: null is null in Json fields, too. */
export function shownValues({ values }: WrittenRecord): RecordValues {
  return mapValues(values, (value) => (Array.isArray(value) ? value.map(showElement) : showElement(value)));
}

/**
 * What is written of the values that a validator gave back. Those that it left alone are written as the client's were read; others are the
 * host's own, who answers for their types.
 *
 * @param shown what the validator was given
 * @throws TypeError for a name that is no plain field of the model: that is the host's mistake, not the client's
 */
export function storedValues(returned: RecordValues, shown: RecordValues, { resource, action, values }: WrittenRecord): RecordValues {
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
