import { encodeFieldValues } from '../executor/count-list.js';
import type { DataCall } from '../executor/plan.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { givenColumn } from '../query/accesses.js';
import type { Row } from '../query/result.js';
import { setValues, type WrittenRecord } from '../query/write.js';

/** What is known when a write begins. */
interface Known {
  readonly storage: Storage;
  /** Looks for rows, which have found what they look for. */
  readonly checks: readonly DataCall[];
}

/**
 * Whether each row is looked for before the write to which records refer by a foreign key that a caller gives: the database, which keeps these keys, sees
 * rows that it does not show to the caller. What is not looked for before, and a key of which the row itself has a part, is looked at after the write
 * (`executorWithVisibleReferences`).
 */
export function refersToChecked(records: readonly WrittenRecord[], { storage, checks }: Known): boolean {
  const known = new Set(checks.flatMap(lookedFor));
  return records.every((record) => keysIn(record, storage).every((text) => text !== undefined && known.has(text)));
}

/** A key that holds a null refers to nothing; undefined for one of which a part is not given. */
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
