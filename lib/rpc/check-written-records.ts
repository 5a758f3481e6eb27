import type { DataCall } from '../executor/plan.js';
import { ApiError } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Storage, StoredField, StoredModel } from '../model/storage/storage.js';
import type { Relationship, Resource, Surface } from '../model/surface/surface.js';
import { type RecordOfQuery, recordsOf } from '../query/map-records.js';
import { isWrite } from '../query/query.js';
import { existenceChecks, referencedKeys, type ReferencedRecord } from '../run/checks/existence-checks.js';
import { setValues, type WrittenRecord, type WrittenRelation } from '../query/write.js';
import { flatMap } from '../utils/flat-map.js';

/**
 * Checks that Prisma accepts the data of every record that a call writes. A create has all required fields. The foreign key that a nested write sets
 * is not given. Foreign keys are not given together with relations that have such keys, in one record or in one list of `create`.
 *
 * A required field that the API may not write is not demanded, because the application's client sets it.
 *
 * Adds look-ups of the records that foreign keys in the data reference. As with `connect`, a foreign key must not reference a record that is missing
 * or hidden from the caller. Records that the call itself creates need no look-up.
 *
 * @param planned with the values of the application's validators, which may set fields as well
 * @throws ApiError `invalid-payload` with the path of the field
 */
export function checkWrittenRecords(planned: DataCall, model: ResourceModel): DataCall {
  if (!isWrite(planned.query)) return planned;
  const written = recordsOf(planned.query);
  const records = written.map((one) => describeRecord(one, model));
  for (const record of records) checkFields(record, records);
  const referenced = flatMap(records, (record) => referencedRecords(record, model.storage));
  const checks = existenceChecks(
    referenced.filter((record) => !written.some((other) => isCreated(other, record))),
    model.storage,
  );
  return checks.length === 0 ? planned : { ...planned, before: checks };
}

function checkFields(record: RecordToCheck, all: readonly RecordToCheck[]): void {
  refuseFilled(record);
  refuseMixed(record, all);
  if (record.written.record.action === 'create') requireFields(record);
}

interface RecordToCheck {
  readonly written: RecordOfQuery;
  readonly resource: Resource;
  readonly model: StoredModel;
  /** The given members, by Prisma's names. */
  readonly given: ReadonlySet<string>;
  /** The fields that the parent relation sets: the opposite relation and its foreign key. */
  readonly filled: ReadonlySet<string>;
  /** The given relations whose foreign key is on the record itself. Prisma does not accept foreign keys together with them. */
  readonly linked: readonly Relationship[];
}

function describeRecord(written: RecordOfQuery, { byModel }: ResourceModel): RecordToCheck {
  const { record, through } = written;
  const resource = exposedRecord(record, { byModel });
  const given = new Set<string>();
  for (const { field } of record.fields) given.add(field.name);
  for (const { relation } of record.relations) given.add(relation.name);
  const isLinked = ({ name, link }: Relationship): boolean => link === 'own-key' && given.has(name);
  const linked = record.relations.length > 0 ? resource.relationships.filter(isLinked) : [];
  return { written, resource, model: record.model, given, filled: filledFields(through), linked };
}

/** Returns the fields that a relation sets in the records that are written through it. */
function filledFields(through: WrittenRelation | undefined): ReadonlySet<string> {
  const { opposite, referredBy } = through?.relation ?? {};
  const fields = referredBy?.fields ?? [];
  return through ? new Set(opposite === undefined ? fields : [opposite, ...fields]) : NONE;
}

const NONE: ReadonlySet<string> = new Set();

function refuseFilled({ written, given, filled }: RecordToCheck): void {
  if (filled.size === 0) return;
  const name = [...given].find((key) => filled.has(key));
  if (name !== undefined)
    refuse(written, name, `is filled by the relation '${written.through?.relation.name ?? ''}' that the record is written through.`);
}

function isAutoincrement(field: StoredField | undefined): boolean {
  return field?.default?.kind === 'function' && field.default.name === 'autoincrement';
}

/** Rejects a foreign key beside a relation of the same record, or of another record of its list: Prisma accepts one or the other in a list of `create`. */
function refuseMixed(record: RecordToCheck, all: readonly RecordToCheck[]): void {
  const { written, model, given } = record;
  const keys = new Set([...model.relations.values()].flatMap(({ foreignKey }) => foreignKey?.fields ?? []));
  const name = [...given].find((key) => keys.has(key) || isAutoincrement(model.fields.get(key)));
  if (name === undefined) return;
  const linked = record.linked.length > 0 ? record : all.find((other) => other.linked.length > 0 && isInSameList(record, other));
  if (!linked) return;
  const kind = keys.has(name) ? 'is a foreign key' : 'is an autoincrement field';
  const place = linked === record ? 'beside' : 'in a list with';
  refuse(
    written,
    name,
    `${kind}, which Prisma does not take ${place} a relation like '${linked.linked[0]?.name ?? ''}': give foreign keys or relations, not both.`,
  );
}

/** Whether two records are elements of the same list of a nested `create`. */
function isInSameList({ written: { record: one } }: RecordToCheck, { written: { record: other } }: RecordToCheck): boolean {
  if (one.at.at(-2) !== 'create' || one.at.length !== other.at.length) return false;
  return one.at.slice(0, -1).every((key, index) => key === other.at[index]);
}

function requireFields(record: RecordToCheck): void {
  const { written, resource, given, filled } = record;
  const missing = resource.required.relationships.find((relationship) => isMissing(relationship, record));
  if (missing) refuse(written, missing.name, `is missing: ${resource.model} needs it${keyHint(missing, record)}.`);
  const linked = collectForeignKeys(record.linked, record);
  const attribute = resource.required.attributes.find(({ name }) => !given.has(name) && !filled.has(name) && !linked.has(name));
  if (attribute) refuse(written, attribute.name, `is missing: ${resource.model} needs it.`);
}

/**
 * Whether a required relation is missing: neither the relation nor its foreign key is given. Together with other relations, the foreign key does not
 * count.
 */
function isMissing(relationship: Relationship, { given, model, filled, linked }: RecordToCheck): boolean {
  const { name } = relationship;
  if (filled.has(name) || given.has(name)) return false;
  const fields = model.relations.get(name)?.foreignKey?.fields ?? [];
  const isFilled = (field: string): boolean => {
    if (model.fields.get(field)?.default !== undefined) return true;
    return linked.length === 0 && (given.has(field) || filled.has(field));
  };
  return !fields.every(isFilled);
}

function keyHint({ name }: Relationship, { resource, model, linked }: RecordToCheck): string {
  const fields = model.relations.get(name)?.foreignKey?.fields ?? [];
  const isOpen = linked.length === 0 && fields.every((field) => resource.fields.get(field)?.rights.create);
  return isOpen ? `, or its foreign key ${fields.map((field) => `'${field}'`).join(', ')}` : '';
}

function collectForeignKeys(relationships: readonly Relationship[], { model }: RecordToCheck): ReadonlySet<string> {
  return new Set(relationships.flatMap(({ name }) => model.relations.get(name)?.foreignKey?.fields ?? []));
}

function refuse({ record }: RecordOfQuery, name: string, sentence: string): never {
  const path = [...record.at, name].map((key) => cut(String(key))).join('.');
  throw new ApiError('invalid-payload', `${path} ${sentence}`, { path, fault: sentence });
}

/** Returns the records that the foreign keys of a record reference. */
function referencedRecords({ written: { record }, resource }: RecordToCheck, storage: Storage): readonly ReferencedRecord[] {
  // `set` is the only operation on a foreign key.
  const values = new Map(Object.entries(setValues(record)));
  return referencedKeys({ resource, storage }, values).map(({ target, key, attribute }) => ({
    target,
    key,
    detail: `There is no ${target.model} that ${[...record.at, attribute.name].join('.')} refers to.`,
  }));
}

function isCreated({ record: { action, model, fields } }: RecordOfQuery, { target, key }: ReferencedRecord): boolean {
  if (action !== 'create' || model.model !== target.model) return false;
  return Object.entries(key).every(([name, value]) => fields.some((written) => written.field.name === name && written.value === value));
}

/** Returns the resource of a record in a client's data, which can only name exposed models. */
export function exposedRecord({ model }: WrittenRecord, { byModel }: Pick<Surface, 'byModel'>): Resource {
  const resource = byModel.get(model.model);
  if (!resource) throw new TypeError(`A client's data names '${model.model}', which is not exposed.`);
  return resource;
}
