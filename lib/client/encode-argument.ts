import { annotationOf, encodeScalar } from '../wire/encode-scalar.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { escapeKey, isReservedKey } from '../wire/path.js';
import type { Annotation, Serialization } from '../wire/serialization.js';

/** The argument as JSON, and the types of values that JSON lacks. */
export interface EncodedArgument {
  readonly json: object;
  readonly serialization?: Serialization;
}

/**
 * Encodes an argument as superjson does, by lib/wire. Two things differ from the encoding of a result:
 *
 * - `Prisma.DbNull`, `JsonNull` and `AnyNull` become null, the only null that this protocol has for Json fields.
 * - A value that `JSON.stringify` would silently drop or change is rejected, because `{ where: { id: someFunction } }` must not arrive as `{ where:
 *   {} }`.
 *
 * @param name the call, for error messages, e.g. `post.findMany`
 * @throws TypeError with the path of a value that cannot be sent
 */
export function encodeArgument(args: unknown, name: string): EncodedArgument {
  if (!isPlainObject(args)) throw new TypeError(`${name} takes an object.`);
  const values: Record<string, Annotation> = {};
  const json = encodeMembers(args, [], { name, values });
  const paths = Object.keys(values);
  if (paths.length === 0) return { json };
  return { json, serialization: paths.some((path) => path.includes('\\\\')) ? { values, v: 1 } : { values } };
}

interface Walk {
  readonly name: string;
  readonly values: Record<string, Annotation>;
}

/** The keys that lead to a value. Undefined below a key that superjson refuses in paths; values there have no metadata. */
type Path = readonly string[] | undefined;

function encode(value: unknown, path: Path, walk: Walk): unknown {
  if (Array.isArray(value)) return value.map((item, index) => encode(item, below(path, String(index)), walk));
  if (isPlainObject(value)) return encodeMembers(value, path, walk);
  if (isPrismaNull(value)) return null;
  const annotation = annotationOf(value, 'base64');
  if (annotation === undefined && !isJson(value)) throw new TypeError(`${walk.name} cannot send what is at ${describePath(path)}.`);
  if (annotation !== undefined && path !== undefined) walk.values[path.map(escapeKey).join('.')] = annotation;
  return encodeScalar(value, 'base64');
}

function encodeMembers(object: Readonly<Record<string, unknown>>, path: Path, walk: Walk): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, encode(value, below(path, key), walk)]));
}

function below(path: Path, key: string): Path {
  return isReservedKey(key) ? undefined : path && [...path, key];
}

function describePath(path: Path): string {
  return path?.join('.') ?? 'a reserved key';
}

/** Whether a value is one of Prisma's null constants. Every copy of Prisma's runtime marks them by this symbol. */
function isPrismaNull(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Symbol.for('prisma.objectEnumValue') in value;
}

/** Whether `JSON.stringify` neither drops nor empties the value. An invalid Date would become null. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function' && typeof value !== 'symbol';
  return 'toJSON' in value && !(value instanceof Date);
}
