import { textOf } from '../data-client/count-list.js';
import type { DataCall } from '../data-client/plan.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import { givenColumn } from '../query/accesses.js';
import type { Row } from '../query/result.js';
import { setValues, type WrittenRecord } from '../query/write.js';
import { decline } from './declined.js';

/** What is known when a write begins. */
interface Known {
  readonly storage: Storage;
  /** Looks for rows, which have found what they look for. */
  readonly checks: readonly DataCall[];
}

/**
 * Requires that each row is looked for before the write to which records refer by a foreign key that a caller gives: the database, which keeps these
 * keys, sees rows that it does not show to the caller. What is not looked for before is looked for after the write (`referringExecutor`).
 *
 * @throws Declined for any other key, and for one of which the row itself has a part
 */
export function requireChecked(records: readonly WrittenRecord[], { storage, checks }: Known): void {
  const known = new Set(checks.flatMap(lookedFor));
  for (const record of records) for (const text of keysIn(record, storage)) if (!known.has(text)) decline(UNCHECKED);
}

const UNCHECKED = 'a foreign key, which the caller may not see the row of';

/** A key that holds a null refers to nothing. */
function keysIn(record: WrittenRecord, storage: Storage): readonly string[] {
  const values = setValues(record);
  return [...record.model.relations.values()].flatMap(({ foreignKey, target }) => {
    if (!foreignKey || givenColumn(foreignKey, record.fields) === undefined) return [];
    const { fields, references } = foreignKey;
    if (!fields.every((name) => Object.hasOwn(values, name))) return decline(UNCHECKED);
    const key = Object.fromEntries(references.map((reference, index) => [reference, values[fields[index] ?? '']]));
    return Object.values(key).includes(null) ? [] : [textOfKey(storedModel(storage, target), key)];
  });
}

function lookedFor({ query: { model }, expect }: DataCall): readonly string[] {
  return expect?.kind === 'all-found' ? expect.wanted.map(({ key }) => textOfKey(model, key)) : [];
}

function textOfKey({ model }: StoredModel, values: Row): string {
  const names = Object.keys(values).sort();
  return `${model} ${names.join(' ')} ${textOf(values, names)}`;
}
