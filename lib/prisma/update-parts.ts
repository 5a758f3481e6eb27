import { isJsonNull } from '../model/values/json-value.js';
import { isPlainObject } from '../wire/is-plain-object.js';

/** The operand of an `update` through a to-one relation: new data, under a condition or not. */
export interface UpdateParts {
  readonly where?: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Whether the operand of an `update` through a to-one relation has the form `{ where, data }`, rather than that of the new data itself.
 *
 * A target with fields called `data` and `where` can have both of the same form. Prisma tries this one first.
 */
export function isUpdateEnvelope(operand: unknown): operand is UpdateParts {
  if (!isPlainObject(operand) || !isPlainObject(operand['data']) || isJsonNull(operand['data'])) return false;
  return Object.keys(operand).every((key) => key === 'where' || key === 'data');
}
