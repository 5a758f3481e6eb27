import { encodeFieldValues } from '../executor/loading/count-list.js';
import type { DataCall } from '../executor/plan.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { givenColumn } from '../query/accesses.js';
import type { Row } from '../query/result.js';
import { setValues, type WrittenRecord } from '../query/write.js';

/** The schema, and the checks that have run before a write. */
interface Known {
  readonly storage: Storage;
  /** Calls that check that rows exist, and have found them. */
  readonly checks: readonly DataCall[];
}

/**
 * Whether all foreign keys that records set are checked before the write. Foreign key constraints ignore row-level security, so the database accepts
 * references to rows that the caller cannot see.
 *
 * All other references are checked after the write (`executorWithVisibleReferences`), including keys of which the record sets only a part.
 */
export function refersToChecked(records: readonly WrittenRecord[], { storage, checks }: Known): boolean {
  const known = new Set(checks.flatMap(lookedFor));
  return records.every((record) => keysIn(record, storage).every((text) => text !== undefined && known.has(text)));
}

/** Returns the foreign keys that a record sets. A key with a null references nothing. A key that is only partly set is undefined. */
function keysIn(record: WrittenRecord, storage: Storage): readonly (string | undefined)[] {
  const values = setValues(record);
  return [...record.model.relations.values()].flatMap(({ foreignKey, target }) => {
    if (!foreignKey || givenColumn(foreignKey, record.fields) === undefined) return [];
    const { fields, references } = foreignKey;
    if (!fields.every((name) => Object.hasOwn(values, name))) return [undefined];
    const key = Object.fromEntries(references.map((reference, index) => [reference, values[fields[index] ?? '']]));
    return Object.values(key).includes(null) ? [] : [textOfKey(storedModel(storage, target), key)];
  });
}

function lookedFor({ query: { model }, expect }: DataCall): readonly string[] {
  return expect?.kind === 'all-found' ? expect.wanted.map(({ key }) => textOfKey(model, key)) : [];
}

function textOfKey({ model }: StoredModel, values: Row): string {
  const names = Object.keys(values).sort();
  return `${model} ${names.join(' ')} ${encodeFieldValues(values, names)}`;
}
