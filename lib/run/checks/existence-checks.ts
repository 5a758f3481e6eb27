import type { DataCall, WantedRecord, WrittenKey } from '../../executor/plan.js';
import type { Storage, StoredForeignKey } from '../../model/storage/storage.js';
import { storedModel, storedRelation } from '../../model/storage/stored-model.js';
import type { Attribute, Relationship, Resource, ResourceDatabase } from '../../model/surface/surface.js';
import { isAmong, selectFields } from '../../query/fields.js';
import { findMany } from '../../query/read.js';
import { flatMap } from '../../utils/flat-map.js';

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

/** A record that the foreign keys of another record reference. */
export interface ReferredKey {
  readonly target: Resource;
  /** Values of the target's fields, by their Prisma names. */
  readonly key: Readonly<Record<string, unknown>>;
  /** The field of the foreign key, or one of several. */
  readonly attribute: Attribute;
  /** The columns of the written record that contain the key. */
  readonly columns: WrittenKey['columns'];
}

/**
 * Returns the records that the foreign keys in the values of a record reference. A foreign key passes the same checks as its relationship.
 * Null references nothing.
 *
 * If only some columns of a composite key are given, the record is looked up by these. The row has the other columns already, and the database
 * enforces the whole key.
 *
 * @param values values of fields, by their Prisma names
 */
export function referencedKeys({ resource, storage, linked }: Referring, values: ReadonlyMap<string, unknown>): readonly ReferredKey[] {
  return flatMap(resource.relationships, (relationship) => {
    const { target } = relationship;
    const { foreignKey } = storedRelation(storage, relationship);
    const columns = foreignKey && !linked?.has(relationship) ? givenColumns(foreignKey, values, resource.fields) : [];
    const said = columns.find(isOwn) ?? (columns.length === foreignKey?.fields.length ? columns[0] : undefined);
    if (!said || columns.some(({ value }) => value === null)) return [];
    const key = Object.fromEntries(columns.map(({ reference, value }) => [reference, value]));
    const written = columns.map(({ attribute, reference }) => ({ column: attribute.name, reference }));
    return [{ target, key, attribute: said.attribute, columns: written }];
  });
}

/** The resource of a written record, and what is needed to resolve its foreign keys. */
interface Referring {
  readonly resource: Resource;
  readonly storage: Storage;
  /** Relationships that the request sets directly. Their foreign keys are skipped. */
  readonly linked?: ReadonlySet<Relationship>;
}

/** A column of a foreign key with its value, and the referenced field of the target. */
interface Column {
  readonly attribute: Attribute;
  readonly value: unknown;
  readonly reference: string;
}

function givenColumns(
  { fields: names, references }: StoredForeignKey,
  values: ReadonlyMap<string, unknown>,
  fields: Resource['fields'],
): readonly Column[] {
  return flatMap(names, (name, index) => {
    const attribute = fields.get(name);
    if (attribute?.kind !== 'attribute' || !values.has(name)) return [];
    return [{ attribute, value: values.get(name), reference: references[index] ?? '' }];
  });
}

/** Whether a column belongs to one relationship only. A column that several relationships share (a `tenantId`) alone identifies no record. */
function isOwn({ attribute }: Column): boolean {
  return attribute.foreignKeyOf.length === 1;
}
