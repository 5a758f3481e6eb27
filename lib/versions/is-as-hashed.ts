import type { StoredModel } from '../model/storage/storage.js';
import type { HashedField } from '../model/surface/surface.js';
import type { Condition } from '../query/condition.js';
import { hasValues } from '../query/fields.js';
import type { Row } from '../query/result.js';

/** That a row still has the values that were hashed, for the statement that writes it (CC-16). */
export function isAsHashed(model: StoredModel, row: Row, fields: readonly HashedField[]): Condition {
  return hasValues(model, Object.fromEntries(fields.map(({ name }) => [name, row[name]])));
}
