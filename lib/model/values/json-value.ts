import type { Attribute } from '../surface/surface.js';

/**
 * The null values of a Json field for the data client: the database NULL, the JSON value null, and either of them (in a filter).
 *
 * The shape is that of `Prisma.DbNull`, `JsonNull` and `AnyNull`. Because Prisma recognizes them by this global symbol, the application's
 * generated client is not needed. `toJSON` returns Prisma's JSON protocol, for Prisma releases that check for their own class.
 */
export type JsonNull = object;

const NULL = Symbol.for('prisma.objectEnumValue');

/** The database NULL of a Json column. */
export const DB_NULL = jsonNull('DbNull');
/** The JSON value null in a Json column. */
export const JSON_NULL = jsonNull('JsonNull');
/** Either of the two nulls; in a filter only. */
export const ANY_NULL = jsonNull('AnyNull');

/**
 * Returns the meaning of null as a new value of a Json field: NULL if the column is nullable, else the JSON value null. Both read as null.
 *
 * Prisma's own `null` would write the JSON value even into a nullable field.
 */
export function nullForJson(attribute: Pick<Attribute, 'optional' | 'list'>): JsonNull {
  return attribute.optional && !attribute.list ? DB_NULL : JSON_NULL;
}

export function isJsonNull(value: unknown): value is JsonNull {
  return value === DB_NULL || value === JSON_NULL || value === ANY_NULL;
}

/** Whether a value is one of Prisma's nulls, of any copy of Prisma or of this package. */
export function isPrismaNull(value: unknown): value is object {
  return typeof value === 'object' && value !== null && NULL in value;
}

/** Returns the name of one of Prisma's nulls; undefined for other values. */
export function prismaNullName(value: unknown): unknown {
  const nameOf: unknown = isPrismaNull(value) ? Reflect.get(value, '_getName') : undefined;
  return typeof nameOf === 'function' ? Reflect.apply(nameOf, value, []) : undefined;
}

/** The maximum nesting of a Json value, because the data client and the renderers traverse it recursively. */
export const MAX_JSON_DEPTH = 100;

/**
 * Whether the data client can store a value in a Json field.
 *
 * Values nested deeper than {@link MAX_JSON_DEPTH} are rejected, and so are NUL characters in texts and keys, which PostgreSQL cannot
 * store. Lone surrogates are rejected, because Prisma's engine cannot parse them. Infinite numbers, which `JSON.parse` returns for `1e400`, are rejected,
 * because `JSON.stringify` writes them as null.
 * The key `__prismaRawParameters__` is rejected: Prisma 7 inserts the `values` of such an object into the query unescaped. A filter could
 * then compare with any other column, even a hidden one.
 */
export function isStorableJson(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (level.some((item) => isUnstorableText(item) || isInfinite(item))) return false;
    const containers = level.filter(isContainer);
    if (containers.length > 0 && depth === MAX_JSON_DEPTH) return false;
    if (containers.some((item) => Object.hasOwn(item, '__prismaRawParameters__') || Object.keys(item).some(isUnstorableText))) return false;
    level = containers.flatMap((item): unknown[] => Object.values(item));
  }
  return true;
}

function isUnstorableText(value: unknown): boolean {
  return typeof value === 'string' && UNSTORABLE_TEXT.test(value);
}

function isInfinite(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

/** NUL characters and lone surrogates. */
export const UNSTORABLE_TEXT = /\0|\p{Surrogate}/u;

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

function jsonNull(name: 'DbNull' | 'JsonNull' | 'AnyNull'): JsonNull {
  return Object.freeze({
    [NULL]: true,
    _getName: () => name,
    toJSON: () => ({ $type: 'Enum', value: name }),
  });
}
