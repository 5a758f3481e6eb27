import type { Attribute } from '../surface/surface.js';

/**
 * The nulls of a Json field, as the data client takes them: a database NULL, the JSON value null, and (in a filter) either.
 *
 * Shaped after Prisma's `Prisma.DbNull`, `JsonNull` and `AnyNull`, which it tells by this global symbol, so that no copy of the host's
 * generated client is needed. `toJSON` says the same in Prisma's JSON protocol, for releases that look for their own class.
 */
export type JsonNull = object;

const NULL = Symbol.for('prisma.objectEnumValue');

/** The column holds NULL. */
export const DB_NULL = jsonNull('DbNull');
/** The column holds the JSON value null. */
export const JSON_NULL = jsonNull('JsonNull');
/** Either of them; in a filter only. */
export const ANY_NULL = jsonNull('AnyNull');

/**
 * What null means as a new value of a Json field: the column's NULL where it has one, else the JSON value null. Both read as null.
 *
 * Prisma's own `null` would write the JSON value even into a field that is optional.
 */
export function nullForJson(attribute: Pick<Attribute, 'optional' | 'list'>): JsonNull {
  return attribute.optional && !attribute.list ? DB_NULL : JSON_NULL;
}

export function isJsonNull(value: unknown): value is JsonNull {
  return value === DB_NULL || value === JSON_NULL || value === ANY_NULL;
}

/** Whether a value is one of Prisma's nulls, whoever has made it. */
export function isPrismaNull(value: unknown): value is object {
  return typeof value === 'object' && value !== null && NULL in value;
}

/** Which of Prisma's nulls a value is; undefined where it is none. */
export function prismaNullName(value: unknown): unknown {
  const nameOf: unknown = isPrismaNull(value) ? Reflect.get(value, '_getName') : undefined;
  return typeof nameOf === 'function' ? Reflect.apply(nameOf, value, []) : undefined;
}

/** Deepest nesting of a Json value: the data client and the renderers walk it recursively. */
export const MAX_JSON_DEPTH = 100;

/**
 * Whether the data client can store a value in a Json field.
 *
 * It rejects values that nest deeper than {@link MAX_JSON_DEPTH}, and NUL characters in texts and keys, which PostgreSQL does not store. It rejects lone
 * surrogates, which Prisma's engine cannot read. It rejects the key `__prismaRawParameters__`: Prisma 7 puts the `values` of such an object into the
 * query unescaped, so that a filter could compare with any other column, a hidden one too.
 */
export function isStorableJson(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (level.some(isUnstorableText)) return false;
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
