import type { DataCall, WantedRecord, WrittenKey } from '../../../executor/plan.js';
import type { Storage } from '../../../model/storage/storage.js';
import { storedModel } from '../../../model/storage/stored-model.js';
import type { Attribute, Resource, ResourceDatabase } from '../../../model/surface/surface.js';
import { isAmong, selectFields } from '../../../query/fields.js';
import { findMany } from '../../../query/read.js';
import { flatMap } from '../../../utils/flat-map.js';

/** A record that a write references, and that must exist. */
export interface ReferencedRecord extends WantedRecord {
  readonly target: Resource;
  /** The columns of the written row that contain the key of this record. */
  readonly columns?: WrittenKey['columns'];
}

/**
 * Compiles one query for each referenced resource. A record that is missing, or hidden from the caller, is `not-found` at its pointer before anything
 * is written (CR-05, UP-11, RE-03).
 */
export function existenceChecks(records: readonly ReferencedRecord[], storage: Storage): DataCall[] {
  const byTarget = new Map<Resource, ReferencedRecord[]>();
  for (const record of records) {
    const ofTarget = byTarget.get(record.target);
    if (ofTarget) ofTarget.push(record);
    else byTarget.set(record.target, [record]);
  }
  return [...byTarget].map(([target, ofTarget]) => existenceCheck(target, ofTarget, storage));
}

function existenceCheck(target: Resource, records: readonly ReferencedRecord[], storage: Storage): DataCall {
  const keys = records.map(({ key }) => key);
  const names = [...new Set(flatMap(keys, (key) => Object.keys(key)))];
  const model = storedModel(storage, target.model);
  return {
    query: findMany({ model, where: isAmong(model, names, keys), selection: selectFields(model, names) }),
    expect: {
      kind: 'all-found',
      wanted: records.map(({ key, detail, source }): WantedRecord => ({ key, detail, ...(source && { source }) })),
      ...(isSpelledFreely(target, names) && { otherSpellings: true }),
    },
  };
}

/** Returns the foreign keys of a write whose records may be stored under a collation-equal key. */
export function freeKeys(records: readonly ReferencedRecord[], storage: Storage): readonly WrittenKey[] {
  return flatMap(records, ({ target, key, columns = [] }) => {
    if (columns.length === 0 || !isSpelledFreely(target, Object.keys(key))) return [];
    return [{ model: storedModel(storage, target.model), key, columns }];
  });
}

function isSpelledFreely({ fields, database }: Resource, names: Iterable<string>): boolean {
  return [...names].some((name) => {
    const field = fields.get(name);
    return field?.kind === 'attribute' && hasOtherSpellings(field, database);
  });
}

/**
 * Whether the collation of a field may ignore letter case, accents or trailing spaces. `citext` on PostgreSQL does, and the default collations of
 * MySQL, MariaDB and SQL Server.
 */
function hasOtherSpellings({ type, list, nativeType }: Attribute, { provider }: ResourceDatabase): boolean {
  if (type !== 'String' || list) return false;
  return provider === 'mysql' || provider === 'sqlserver' || nativeType?.[0] === 'Citext';
}
