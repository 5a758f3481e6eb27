import { isJsonNull } from '../../model/values/json-value.js';
import { isPlainObject } from '../../wire/is-plain-object.js';

/** Whether the operand of an `update` through a to-one relation is `{ where, data }`, rather than the new data itself. */
export function isUpdateEnvelope(value: unknown): value is { readonly where?: unknown; readonly data: Readonly<Record<string, unknown>> } {
  if (!isPlainObject(value) || !isPlainObject(value['data']) || isJsonNull(value['data'])) return false;
  return Object.keys(value).every((key) => key === 'where' || key === 'data');
}
