import { isJsonNull } from '../model/values/json-value.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { Where } from './rules-option.js';
import type { Args } from './session.js';

/** The operand of an `update` through a to-one relation: the new data itself, or `{ where, data }`. */
export function updateParts(operand: Args): { readonly where?: Where; readonly data: Args } {
  const { data } = operand;
  const isEnvelope = isPlainObject(data) && !isJsonNull(data) && Object.keys(operand).every((key) => key === 'where' || key === 'data');
  if (!isEnvelope) return { data: operand };
  return { data, ...(operand['where'] !== undefined && { where: operand['where'] as Where }) };
}
