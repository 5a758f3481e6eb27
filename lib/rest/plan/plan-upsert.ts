import type { DataCall } from '../../executor/plan.js';
import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { Storage } from '../../model/storage/storage.js';
import { storedModel, storedRelation } from '../../model/storage/stored-model.js';
import type { Resource, UniqueKey } from '../../model/surface/surface.js';
import { and, not, uniqueAsCondition, type UniqueCondition } from '../../query/condition.js';
import { hasValues, selectFields } from '../../query/fields.js';
import { uniqueCondition } from '../../query/key.js';
import { PendingRow, PendingValue } from '../../query/pending-value.js';
import { findMany } from '../../query/read.js';
import type { Selection } from '../../query/selection.js';
import type { WrittenRecord } from '../../query/write.js';
import { bodyError } from '../parse/body-error.js';
import {
  type AttributeValue,
  attributeValues,
  fixedFields,
  type Linkage,
  type ResourceContent,
  upsertChanges,
  type UpsertIntent,
} from '../parse/write-intent.js';
import { contentChecks, foreignKeyRecords, referencedRecords } from './referenced-records.js';
import { oneToOneChecks } from './one-to-one-checks.js';
import type { WriteSteps } from './write-steps.js';
import { recordOf, refersToId, type Values, withColumns, writtenRecord } from './written-record.js';

/** Plans an upsert: the look-up of the matching record, and the write. An existing record keeps its id, its primary key and the fields of `match`. */
export function planUpsert(intent: UpsertIntent, selection: Selection, storage: Storage): WriteSteps {
  const { resource, match, content } = intent;
  const model = storedModel(storage, resource.model);
  const { values, lookups } = matchedValues(intent, storage);
  const where = uniqueCondition(model, match, Object.fromEntries(values));
  const create = writtenRecord(resource, content, 'attach', storage);
  const { update, changes, checks } = plannedChanges(intent, where, storage);
  const isEmpty = update.fields.length === 0 && update.relations.length === 0 && lookups.length === 0;
  const same = isEmpty && isRewritable(match, resource) && recordOf(resource, 'replace', { values, relations: [] }, storage);
  const records = [
    ...referencedRecords(resource, content, storage),
    ...foreignKeyRecords(resource, validatedApart(changes, content), storage),
  ];
  const awaits = lookups.length > 0 ? ({ awaitsRows: true } as const) : {};
  const taken = oneToOneChecks({ resource, content, record: create, owner: where }, storage);
  const found = selectFields(model, [...values.keys()]);
  return {
    checks: [
      ...contentChecks(records, content, where, storage),
      ...lookups,
      ...[...checks, ...taken].map((check) => ({ ...check, ...awaits })),
    ],
    look: { query: { kind: 'find-unique', model, where, selection: found, isRequired: false }, ...awaits },
    query: { kind: 'upsert', model, where, create, update: same || update, selection },
    records,
    ...awaits,
  };
}

interface MatchedValues {
  /** The values of the fields of `match`, by their names. */
  readonly values: Values;
  /** The look-ups of linked records whose id is not the key that the foreign key references. */
  readonly lookups: readonly DataCall[];
}

function matchedValues({ resource, match, content }: UpsertIntent, storage: Storage): MatchedValues {
  const owning = content.linkages.filter(({ relationship, records }) => relationship.link === 'own-key' && records.length > 0);
  const direct = owning.filter(({ relationship }) => refersToId(relationship, storage));
  const known = withColumns(attributeValues(content), direct, resource, storage);
  const lookups: DataCall[] = [];
  const values = match.fields.map(({ name, foreignKeyOf }): readonly [string, unknown] => {
    if (known.has(name)) return [name, known.get(name)];
    const linkage = owning.find(({ relationship }) => foreignKeyOf.includes(relationship.name));
    const row = new PendingRow();
    const { lookup, reference } = referenceLookup(linkage, name, storage);
    lookups.push({ ...lookup, returns: row });
    return [name, new PendingValue(row, reference)];
  });
  return { values: new Map(values), lookups };
}

interface Reference {
  readonly lookup: DataCall;
  /** The field that the column references. */
  readonly reference: string;
}

/** Plans the look-up of the field that a column of a foreign key references. */
function referenceLookup(linkage: Linkage | undefined, column: string, storage: Storage): Reference {
  const [record] = linkage?.records ?? [];
  const key = linkage && storedRelation(storage, linkage.relationship).foreignKey;
  const reference = key?.references[key.fields.indexOf(column)];
  if (!linkage || !record || reference === undefined) throw new TypeError(`The document gives no value to '${column}'.`);
  const { target } = linkage.relationship;
  const model = storedModel(storage, target.model);
  const where = uniqueCondition(model, target.identifier, record.id.values);
  const query = { kind: 'find-unique', model, where, selection: selectFields(model, [reference]), isRequired: false } as const;
  return { lookup: { query, ...(record.id.lid !== undefined && { awaitsRows: true }) }, reference };
}

interface PlannedChanges {
  readonly changes: ResourceContent;
  readonly update: WrittenRecord;
  readonly checks: readonly DataCall[];
}

/** Plans the changes of an upsert to an existing record. */
function plannedChanges(intent: UpsertIntent, where: UniqueCondition, storage: Storage): PlannedChanges {
  const { resource, match, content } = intent;
  const model = storedModel(storage, resource.model);
  const fixed = new Set([...fixedFields(resource, match), ...(model.primaryKey?.fields ?? [])]);
  const given = upsertChanges(intent, intent.changes ?? content);
  const columnsOf = ({ relationship }: Linkage): readonly string[] =>
    relationship.link === 'own-key' ? (storedRelation(storage, relationship).foreignKey?.fields ?? []) : [];
  const linkages = given.linkages.filter(
    (linkage) => columnsOf(linkage).length === 0 || !columnsOf(linkage).every((name) => fixed.has(name)),
  );
  const changes = { ...given, linkages };
  const record = writtenRecord(resource, changes, 'replace', storage);
  const matched = new Set(match.fields.map(({ name }) => name));
  const isShared = (name: string): boolean => fixed.has(name) && !matched.has(name);
  return {
    changes,
    update: { ...record, fields: record.fields.filter(({ field }) => !fixed.has(field.name)) },
    checks: linkages
      .filter((linkage) => linkage.records.length > 0 && columnsOf(linkage).some(isShared))
      .map((linkage) => sharedKeyCheck(linkage, { where, record, isShared }, resource)),
  };
}

interface SharedKey {
  readonly where: UniqueCondition;
  readonly record: WrittenRecord;
  readonly isShared: (name: string) => boolean;
}

/** Returns a check that linkage agrees with the id of an existing record, if both share columns. An upsert never changes the id. */
function sharedKeyCheck({ relationship, pointer }: Linkage, { where, record, isShared }: SharedKey, { type }: Resource): DataCall {
  const { model } = record;
  const detail = `What '${relationship.member}' refers to does not fit the id of the ${type} that exists already: an upsert never changes it.`;
  const values = record.fields.filter(({ field }) => isShared(field.name)).map(({ field, value }) => [field.name, value] as const);
  // A record that is named by another key than the one that the foreign key references is connected as a whole.
  if (values.length === 0) throw bodyError('invalid-relation-data', pointer, detail);
  const other = and(uniqueAsCondition(where), not(hasValues(model, Object.fromEntries(values))));
  return {
    query: findMany({ model, where: other, page: { take: 1 }, selection: selectFields(model, where.keys[0].key.fields) }),
    expect: { kind: 'none-found', problem: { code: 'id-conflict', detail, source: { pointer } } },
  };
}

/**
 * Whether an upsert without changes may write the values of `match` again. Prisma uses a database upsert only if `update` is not empty (Prisma Client
 * API, "Database upserts"). Otherwise it reads the row and then creates it, so that one of two concurrent upserts fails.
 */
function isRewritable({ fields }: UniqueKey, { database: { provider, orm } }: Resource): boolean {
  // A `citext` value may match a case variant. Writing it would change the stored value.
  return orm === 'prisma' && NATIVE_UPSERTS.has(provider) && fields.every(({ nativeType }) => nativeType?.[0] !== 'Citext');
}

/**
 * The databases with native upserts. On the others, writing the values again has no benefit. Some of their keys cannot be written again (an identity
 * column, MongoDB's `_id`).
 */
const NATIVE_UPSERTS: ReadonlySet<DatabaseProvider> = new Set(['postgresql', 'cockroachdb', 'sqlite']);

/**
 * Returns the attributes among the changes that the record to create does not have with the same value. A validator of the application has changed
 * them.
 */
function validatedApart(changes: ResourceContent, { attributes }: ResourceContent): ResourceContent {
  const isSame = (left: AttributeValue, right: AttributeValue): boolean => left.attribute === right.attribute && left.value === right.value;
  return { ...changes, attributes: changes.attributes.filter((change) => !attributes.some((given) => isSame(change, given))) };
}
