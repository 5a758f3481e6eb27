import type { DataCall } from '../data-client/plan.js';
import { ApiError } from '../errors/api-error.js';
import { cut } from '../errors/quote.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { storedModel, storedRelation } from '../model/storage/stored-model.js';
import type { Relationship } from '../model/surface/surface.js';
import { mapWrittenRecords, type WrittenData } from './map-written-records.js';
import type { RpcCall } from './parse-rpc-call.js';

/**
 * Checks that the data of every record that a call writes is one that Prisma takes: with all that a create needs, without the foreign key that a
 * nested write fills, and without foreign keys beside relations that have such keys.
 *
 * What may not be written through the API is not asked for: the host's client fills it.
 *
 * @param planned with the values of the host's validators, which may fill fields too
 * @throws ApiError `invalid-payload` with the path of the field
 */
export function checkWrittenFields(call: RpcCall, planned: DataCall, storage: Storage): DataCall {
  mapWrittenRecords(call, planned.args, (written) => {
    const record = describe(written, storage);
    refuseFilled(record);
    refuseMixed(record);
    if (written.action === 'create') requireFields(record);
    return written.data;
  });
  return planned;
}

interface RecordToCheck {
  readonly written: WrittenData;
  readonly model: StoredModel;
  /** What the relation that it is written through fills: the relation's other side and its key. */
  readonly filled: ReadonlySet<string>;
  /** The given relations whose key is on the record itself. Prisma takes no foreign keys together with them. */
  readonly linked: readonly Relationship[];
}

function describe(written: WrittenData, storage: Storage): RecordToCheck {
  const { resource, data, through } = written;
  const linked = resource.relationships.filter(({ name, link }) => link === 'own-key' && isGiven(data, name));
  const model = storedModel(storage, resource.model);
  if (!through) return { written, model, filled: new Set(), linked };
  const { opposite, referredBy } = storedRelation(storage, through);
  return { written, model, filled: new Set([...(opposite === undefined ? [] : [opposite]), ...(referredBy?.fields ?? [])]), linked };
}

function refuseFilled({ written, filled }: RecordToCheck): void {
  const name = Object.keys(written.data).find((key) => filled.has(key) && isGiven(written.data, key));
  if (name !== undefined)
    refuse(written, name, `is filled by the relation '${written.through?.name ?? ''}' that the record is written through.`);
}

function refuseMixed({ written, model, linked: [relationship] }: RecordToCheck): void {
  if (!relationship) return;
  const keys = new Set([...model.relations.values()].flatMap(({ foreignKey }) => foreignKey?.fields ?? []));
  const isRefused = (key: string): boolean => keys.has(key) || model.fields.get(key)?.default === 'autoincrement';
  const name = Object.keys(written.data).find((key) => isGiven(written.data, key) && isRefused(key));
  if (name === undefined) return;
  const kind = keys.has(name) ? 'is a foreign key' : 'is an autoincrement field';
  refuse(
    written,
    name,
    `${kind}, which Prisma does not take beside a relation like '${relationship.name}': give foreign keys or relations, not both.`,
  );
}

function requireFields(record: RecordToCheck): void {
  const { written, filled } = record;
  const { resource, data } = written;
  const missing = resource.required.relationships.find((relationship) => isMissing(relationship, record));
  if (missing) refuse(written, missing.name, `is missing: ${resource.model} needs it${keyHint(missing, record)}.`);
  const linked = keysOf(record.linked, record);
  const attribute = resource.required.attributes.find(({ name }) => !isGiven(data, name) && !filled.has(name) && !linked.has(name));
  if (attribute) refuse(written, attribute.name, `is missing: ${resource.model} needs it.`);
}

/** Whether a required relation is given neither itself nor by its key. Beside other relations the key does not stand for it. */
function isMissing(relationship: Relationship, { written: { data }, model, filled, linked }: RecordToCheck): boolean {
  const { name } = relationship;
  if (filled.has(name) || isGiven(data, name)) return false;
  const fields = model.relations.get(name)?.foreignKey?.fields ?? [];
  const isFilled = (field: string): boolean => {
    if (model.fields.get(field)?.default !== undefined) return true;
    return linked.length === 0 && (isGiven(data, field) || filled.has(field));
  };
  return !fields.every(isFilled);
}

function keyHint({ name }: Relationship, { written: { resource }, model, linked }: RecordToCheck): string {
  const fields = model.relations.get(name)?.foreignKey?.fields ?? [];
  const isOpen = linked.length === 0 && fields.every((field) => resource.fields.get(field)?.rights.create);
  return isOpen ? `, or its foreign key ${fields.map((field) => `'${field}'`).join(', ')}` : '';
}

function keysOf(relationships: readonly Relationship[], { model }: RecordToCheck): ReadonlySet<string> {
  return new Set(relationships.flatMap(({ name }) => model.relations.get(name)?.foreignKey?.fields ?? []));
}

function isGiven(data: WrittenData['data'], name: string): boolean {
  return data[name] !== undefined;
}

function refuse({ path }: WrittenData, name: string, sentence: string): never {
  throw new ApiError('invalid-payload', `${[...path, name].map((key) => cut(String(key))).join('.')} ${sentence}`);
}
