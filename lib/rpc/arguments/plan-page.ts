import { mayGroup } from '../../model/surface/rights.js';
import { describeType } from '../../model/surface/lacked-comparisons.js';
import type { Storage, StoredField, StoredKey, StoredModel } from '../../model/storage/storage.js';
import { storedField } from '../../model/storage/stored-model.js';
import type { Resource } from '../../model/surface/surface.js';
import type { ArgumentPath } from './argument-path.js';
import { listOfOneOrMany, readInteger } from '../../prisma/typed-slots.js';
import { fieldNamed } from '../../query/fields.js';
import { hasRowKey, rowKey } from '../../query/key.js';
import { hasRowKeyFields, type Order, withoutRepeats } from '../../query/order.js';
import type { Page } from '../../query/selection.js';
import { takeOneMore } from '../../limits/limit-related.js';

const MAX_INT = 2 ** 31 - 1;

/** Plans `take`, at most `limits.maxTake` rows. A negative number takes rows from the end. */
export function planTake(_: Resource, value: unknown, path: ArgumentPath): number {
  const take = readInteger(value, path, [-MAX_INT, MAX_INT]);
  requireRows(Math.abs(take), path);
  return take;
}

/** Plans the `take` of a `findFirst`, which returns one record. */
export function planFirstTake(_: Resource, value: unknown, path: ArgumentPath): number {
  const take = readInteger(value, path, [-MAX_INT, MAX_INT]);
  return Math.abs(take) === 1 ? take : path.refuse('must be 1, or -1 for the last record: the operation returns one.', 'invalid-value');
}

/** Plans `skip` and `limit`: a count from 0. */
export function planCount(_: Resource, value: unknown, path: ArgumentPath): number {
  return readInteger(value, path, [0, MAX_INT]);
}

/** Plans the `limit` of a write that returns its rows: a count within `limits.maxTake`. */
export function planReturnedCount(resource: Resource, value: unknown, path: ArgumentPath): number {
  const count = planCount(resource, value, path);
  requireRows(count, path);
  return count;
}

/** Rejects a number of rows above `limits.maxTake`. */
export function requireRows(count: number, path: ArgumentPath): void {
  if (count > path.maxTake) path.exceed('asks for more rows', 'maxTake');
}

/** Plans `distinct` and `by`: names of stored fields. They must be readable, because the result reveals which rows share a value. */
export function planFieldNames(resource: Resource, value: unknown, path: ArgumentPath): readonly StoredField[] {
  if (Array.isArray(value)) {
    if (value.length === 0) path.refuse('must name at least one field.');
    path.spendTerms(value.length);
  }
  return listOfOneOrMany(value, path, (name, place) => readFieldName(resource, name, place));
}

function readFieldName(resource: Resource, name: unknown, path: ArgumentPath): StoredField {
  if (typeof name !== 'string') return path.refuse(`must be the name of a field of ${resource.model}.`, 'invalid-value');
  const field = resource.fields.get(name);
  if (field?.kind !== 'attribute') return path.member(name).refuseUnknown(readableNames(resource));
  if (field.computed) path.member(name).refuse('is computed, and the database does not know it.', 'invalid-fields');
  if (!field.rights.read) path.member(name).refuse('may not be read.', 'invalid-fields');
  if (field.lacks?.has('equality'))
    path.member(name).refuse(`has the type ${describeType(field)}, which has no equality.`, 'invalid-fields');
  return storedField(path.storage, field);
}

/** Returns the plain fields by which rows may be grouped, for suggestions. */
function readableNames({ attributes }: Resource): readonly string[] {
  return attributes.filter(mayGroup).map(({ name }) => name);
}

/** The model, order and page of a query. */
interface OrderedPage {
  readonly model: StoredModel;
  readonly order: Order;
  readonly page: Page;
}

/**
 * Completes the order of a page to a total order, so that the pages of one order contain each row once, with or without a cursor. An order with ties
 * is completed by the key of the row. Without an order, Prisma and SQL both order a page by the primary key, and ZenStack by nothing.
 *
 * If the primary key has several fields, a unique key comes before it, if there is one. Without it, Prisma reads all rows after a cursor.
 *
 * @throws ApiError for a page without an order of rows that have no key, as Prisma rejects it
 */
export function orderPage(resource: Resource, { model, order, page }: OrderedPage, path: ArgumentPath): Order {
  const cut = CUTS.find((name) => page[name] !== undefined);
  if (cut === undefined) return order;
  if (order.length > 0)
    return hasRowKeyFields(order, model) ? order : withoutRepeats([...order, ...tieTerms(resource, model, path.storage)]);
  if (hasRowKey(model)) return path.storage.orm === 'zenstack' ? tieTerms(resource, model, path.storage) : order;
  const reason = `is missing: the rows of ${model.model} have no key.`;
  return path
    .member('orderBy')
    .refuse(`${reason} Argument \`orderBy\` is required because argument \`${cut}\` was provided.`, 'invalid-sort');
}

const CUTS = ['take', 'skip', 'cursor'] as const;

/** Returns the order in which rows without a key are limited, because Prisma accepts a limit only with an order. */
function orderLimited(resource: Resource, { model, order }: Pick<OrderedPage, 'model' | 'order'>, storage: Storage): Order {
  return order.length > 0 || hasRowKey(model) ? order : fieldTerms(readableFields(resource, storage));
}

function tieTerms(resource: Resource, model: StoredModel, storage: Storage): Order {
  if (!hasRowKey(model)) return fieldTerms(readableFields(resource, storage));
  const keys = [prismaKey(model), rowKey(model)].flatMap((key) => key?.fields ?? []);
  return fieldTerms(keys.map((name) => fieldNamed(model, name)));
}

/** Returns a key that Prisma accepts as a total order. It does not accept a primary key of several fields. */
function prismaKey({ primaryKey, uniqueKeys, fields }: StoredModel): StoredKey | undefined {
  if (primaryKey?.fields.length === 1) return primaryKey;
  return uniqueKeys.find((key) => key.fields.every((name) => fields.get(name)?.optional === false));
}

/**
 * Returns the fields by which rows without a key are ordered. Hidden fields are excluded, because the order would reveal something about their
 * values.
 */
function readableFields({ attributes }: Resource, storage: Storage): readonly StoredField[] {
  const stored = attributes.filter(({ rights, computed }) => rights.read && !computed).map((attribute) => storedField(storage, attribute));
  return stored.filter(({ list, type, nativeType }) => !list && type !== 'Json' && nativeType?.[0] !== 'Xml');
}

function fieldTerms(fields: readonly StoredField[]): Order {
  return fields.map((field) => ({ kind: 'field-term', path: [], field, direction: 'asc' }) as const);
}

/**
 * Limits a page to one row more than `limits.maxTake`, unless the client has given `take`. Pages with `distinct` are not limited, because Prisma
 * removes duplicates in memory. The related lists of several rows are not limited in effect, because Prisma loads them by one statement.
 *
 * Rows without a key are ordered by their readable fields. They are not limited if none of these fields has an order.
 */
export function cutPage(
  resource: Resource,
  { model, order, page }: OrderedPage,
  { maxTake, storage }: Pick<ArgumentPath, 'maxTake' | 'storage'>,
): Omit<OrderedPage, 'model'> {
  if (page.take !== undefined || page.distinct !== undefined) return { order, page };
  const limited = orderLimited(resource, { model, order }, storage);
  return limited.length === 0 && !hasRowKey(model) ? { order, page } : { order: limited, page: { ...page, ...takeOneMore(maxTake) } };
}
