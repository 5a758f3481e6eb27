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
 * Whether a value may be given to the data client for a Json field.
 *
 * Refused are values that nest deeper than {@link MAX_JSON_DEPTH}, texts and keys with lone surrogates, which Prisma's engine cannot read, and
 * objects with the key `__prismaRawParameters__`: Prisma 7 puts the `values` of such an object into the query unescaped, so that a filter could
 * compare with any other column, a hidden one too.
 */
export function isStorableJson(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (level.some(hasLoneSurrogates)) return false;
    const containers = level.filter(isContainer);
    if (containers.length > 0 && depth === MAX_JSON_DEPTH) return false;
    if (containers.some((item) => Object.hasOwn(item, '__prismaRawParameters__') || Object.keys(item).some(hasLoneSurrogates)))
      return false;
    level = containers.flatMap((item): unknown[] => Object.values(item));
  }
  return true;
}

function hasLoneSurrogates(value: unknown): boolean {
  return typeof value === 'string' && /\p{Surrogate}/u.test(value);
}

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
