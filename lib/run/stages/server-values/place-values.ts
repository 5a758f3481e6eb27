import type { Storage } from '../../../model/storage/storage.js';
import { linkForeignKeys } from '../../../query/link-foreign-keys.js';
import type { WrittenField, WrittenRecord } from '../../../query/write.js';

/**
 * Returns a record in which the server's values replace all other values of their fields. Beside links that the row itself stores, they are links,
 * too, if they are whole foreign keys.
 */
export function placeValues(record: WrittenRecord, set: readonly WrittenField[], storage: Storage): WrittenRecord {
  const names = new Set(set.map(({ field }) => field.name));
  const fields = [...record.fields.filter(({ field }) => !names.has(field.name)), ...set];
  const placed = Object.freeze({ ...record, fields: Object.freeze(fields) });
  return record.relations.some(({ relation }) => relation.foreignKey) ? linkForeignKeys(placed, storage) : placed;
}
