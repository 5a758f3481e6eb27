import type { RelationDescription } from '../rpc/protocol/api-description.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { DescribedModel } from './described-api.js';
import type { FilterScope } from './filter.js';
import { HttpError } from './http-error.js';
import { isIdOf, idOf, type Row, uniqueWhere } from './ids.js';
import { comparableOf, toFieldValue, toJsonValue } from './values.js';

/** What a record has beside its fields. All but `ids` are those of Prisma. */
export interface Selection {
  readonly select?: Row;
  readonly include?: Row;
  readonly omit?: Row;
  /** Relations to many whose ids the record has in place of records: `['tags']`, for inputs of several references. */
  readonly ids?: readonly string[];
}

/** A row as an admin interface has it: JSON, with its id. */
export type AdminRecord = Readonly<Record<string, unknown>>;

/** Returns a row, and the rows that it includes, as records. */
export function recordOf(row: Row, { model, api }: FilterScope, ids: readonly string[] = []): AdminRecord {
  const entries = Object.entries(row).map(([name, value]) => {
    const field = model.fieldOf(name);
    if (field) return [name, field.type === 'Json' ? value : toJsonValue(value, field.format)] as const;
    const target = api.models.get(model.relationOf(name)?.model ?? '');
    return [name, target ? relatedOf(value, { model: target, api }, ids.includes(name)) : toJsonValue(value)] as const;
  });
  const id = idOf(row, model);
  return Object.fromEntries(id === undefined ? entries : [...entries, ['id', id] as const]);
}

function relatedOf(value: unknown, scope: FilterScope, asIds: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => relatedOf(item, scope, asIds));
  if (!isPlainObject(value)) return value;
  return asIds ? idOf(value, scope.model) : recordOf(value, scope);
}

/** Returns the arguments that select what a record needs: the key and the version are always among it. */
export function selectionArguments({ select, include, omit, ids = [] }: Selection, { model, api }: FilterScope): Row {
  const ofIds = Object.fromEntries(
    ids.map((name) => [name, { select: keySelection(api.models.get(model.relationOf(name)?.model ?? '')) }]),
  );
  const needed = keySelection(model);
  if (select) return { select: { ...select, ...needed, ...ofIds } };
  const omitted = Object.entries(omit ?? {}).filter(([name]) => !Object.hasOwn(needed, name));
  return {
    ...((include ?? ids.length > 0) && { include: { ...include, ...ofIds } }),
    ...(omitted.length > 0 && { omit: Object.fromEntries(omitted) }),
  };
}

function keySelection(model: DescribedModel | undefined): Row {
  const names = (model?.idFields ?? []).map(({ name }) => name);
  const { version } = model ?? {};
  return Object.fromEntries([...names, ...(version === undefined ? [] : [version])].map((name) => [name, true]));
}

/** Values that a form writes, and what they are compared with. */
export interface Written {
  readonly values: Row;
  /** The record before the change. Only what differs from it is written. */
  readonly before?: Row | undefined;
  /** The id of the record. Absent for a create. */
  readonly id?: unknown;
}

/** Returns Prisma's `data`. Relations are written by ids, or by records with an id. Foreign keys that are written beside them win. */
export function dataOf(written: Written, scope: FilterScope): Row {
  const changed = Object.entries(written.values).filter(([name, value]) => isWritten(name, value, written, scope.model));
  const names = new Set(changed.map(([name]) => name));
  const isField = ([name]: Entry): boolean => scope.model.fieldOf(name) !== undefined;
  const links = changed.filter((entry) => !isField(entry) && !isOverruled(entry, names, scope));
  const given = [...links, ...changed.filter(isField)];
  return Object.fromEntries(given.flatMap(([name, value]) => entriesOf(name, value, scope, written.id === undefined)));
}

/** Whether all of the foreign key that a link would write is written by itself. A nested write is no link. */
function isOverruled([name, value]: Entry, names: ReadonlySet<string>, { model, api }: FilterScope): boolean {
  const { foreignKey = [], model: target = '' } = model.relationOf(name) ?? {};
  if (foreignKey.length === 0 || !foreignKey.every((field) => names.has(field))) return false;
  return value === null || linkedWhere(value, name, api.models.get(target)) !== undefined;
}

/** Whether a value is to be sent: neither unchanged, nor the id of the record, nor the version, which the server counts. */
function isWritten(name: string, value: unknown, { before, id }: Written, model: DescribedModel): boolean {
  if (value === undefined || name === model.version || isIdOf(name, model)) return false;
  if (name === 'id' && isSameId(value, id)) return false;
  return !(
    before &&
    Object.hasOwn(before, name) &&
    comparableOf(model.fieldOf(name), value) === comparableOf(model.fieldOf(name), before[name])
  );
}

/** Whether a value is the id of the record, which may be the text of an address. */
function isSameId(value: unknown, id: unknown): boolean {
  return id !== null && id !== undefined && comparableOf(undefined, value) === comparableOf(undefined, id);
}

function entriesOf(name: string, value: unknown, scope: FilterScope, isCreate: boolean): readonly Entry[] {
  const { model } = scope;
  const field = model.fieldOf(name);
  if (field) return isCreate && value === null && meansDefault(field) ? [] : [[name, toFieldValue(field, value)]];
  const relation = model.relationOf(name);
  return relation ? linkEntries(relation, value, scope, isCreate) : [[name, value]];
}

/** Whether an empty input of a create means the default. */
function meansDefault({ optional, hasDefault }: { readonly optional: boolean; readonly hasDefault: boolean }): boolean {
  return hasDefault && !optional;
}

type Entry = readonly [name: string, value: unknown];

function linkEntries(relation: RelationDescription, value: unknown, { model, api }: FilterScope, isCreate: boolean): readonly Entry[] {
  const { name, list } = relation;
  const target = api.models.get(relation.model);
  if (list) return linksOf(name, value, target, isCreate);
  const key = linkedKey(relation, value, model, target);
  // Without an optional field of the foreign key, the server refuses a disconnect, and names the relation.
  if (key && (key.length > 0 || isCreate)) return key;
  if (value === null) return isCreate ? [] : [[name, { disconnect: true }]];
  const where = linkedWhere(value, name, target);
  return [[name, where === undefined ? value : { connect: where }]];
}

function linksOf(name: string, value: unknown, target: DescribedModel | undefined, isCreate: boolean): readonly Entry[] {
  const wheres = Array.isArray(value) ? value.map((item) => linkedWhere(item, name, target)) : [undefined];
  // Nested writes of Prisma.
  if (wheres.includes(undefined)) return [[name, value]];
  return isCreate && wheres.length === 0 ? [] : [[name, { [isCreate ? 'connect' : 'set']: wheres }]];
}

/** Returns the values of the foreign key that links a record, because Prisma takes no links beside foreign keys. Undefined if the key is hidden. */
function linkedKey(
  { name, foreignKey = [], references }: RelationDescription,
  value: unknown,
  model: DescribedModel,
  target: DescribedModel | undefined,
): readonly Entry[] | undefined {
  if (!target || foreignKey.length === 0 || target.idFields.map((field) => field.name).join() !== references?.join()) return undefined;
  if (value === null) return foreignKey.flatMap((field) => (model.fieldOf(field)?.optional ? [[field, null] as const] : []));
  const where = linkedWhere(value, name, target);
  const key = foreignKey.length === 1 ? where : where?.[target.idKey];
  return isPlainObject(key) ? foreignKey.map((field, index) => [field, key[references[index] ?? '']] as const) : undefined;
}

/** Returns the `where` of a linked record. Undefined for a value that is neither an id nor a record with one. */
function linkedWhere(item: unknown, name: string, target: DescribedModel | undefined): Row | undefined {
  const id = isPlainObject(item) ? item['id'] : item;
  if (!target || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  try {
    return uniqueWhere(id, target);
  } catch {
    const message = `'${id}' is no id of '${target.model}'.`;
    throw new HttpError(message, 400, { errors: { [name]: message } });
  }
}
