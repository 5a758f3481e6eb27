import type { Storage, StoredField, StoredKey, StoredModel } from '../../model/storage/storage.js';
import { storedField } from '../../model/storage/stored-model.js';
import type { Resource } from '../../model/surface/surface.js';
import { fieldNamed } from '../../query/fields.js';
import { hasRowKey, rowKey } from '../../query/key.js';
import { hasRowKeyFields, type Order, withoutRepeats } from '../../query/order.js';
import type { Page } from '../../query/selection.js';
import type { ArgumentPath } from './argument-path.js';

/** The model, order and page of a query. */
interface OrderedPage {
  readonly model: StoredModel;
  readonly order: Order;
  readonly page: Page;
}

/**
 * Completes the order of a page to a total order, so that the pages of one order contain each row once, with or without a cursor. An order with ties
 * is completed by the key of the row. Without an order, Prisma and SQL both order a page by the primary key.
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
  if (hasRowKey(model)) return order;
  const reason = `is missing: the rows of ${model.model} have no key.`;
  return path
    .member('orderBy')
    .refuse(`${reason} Argument \`orderBy\` is required because argument \`${cut}\` was provided.`, 'invalid-sort');
}

const CUTS = ['take', 'skip', 'cursor'] as const;

/** Returns the order in which rows without a key are limited, because Prisma accepts a limit only with an order. */
export function orderLimited(resource: Resource, { model, order }: Pick<OrderedPage, 'model' | 'order'>, storage: Storage): Order {
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
