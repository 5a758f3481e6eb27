// The whole statement is a type import, so that it is erased and the client's bundle does not include the model.
import type { Attribute, Field, Resource } from '../model/surface/surface.js';
import { toIsoString } from '../utils/to-iso-string.js';
import { checkComputedFields } from './check-computed.js';
import { annotationOf, DATE, encodeScalar, isJsonNumber, type BytesForm } from './encode-scalar.js';
import { isPlainObject } from './is-plain-object.js';
import { escapeKey, isReservedKey } from './path.js';
import { requireReadable, requireReadableResult } from './require-readable.js';
import type { Annotation, Serialization } from './serialization.js';
import { annotationOfTyped } from './wire-text.js';

/**
 * Encodes a result of the data client as JSON and metadata in one pass, as superjson's `serialize` does (json and `meta.values`), except
 * for -0.
 *
 * Containers without changes are returned as they are; the input is never mutated. Only plain objects and arrays are traversed. Other
 * objects (class instances, maps, functions) are left to `JSON.stringify`.
 * Values below a key that superjson forbids in paths (`__proto__`, `constructor`, `prototype`) are encoded without metadata, where
 * superjson throws.
 *
 * @param resource the resource of the rows. Values of its Json fields are not traversed. Other keys (`_count`, `_sum`), and results without
 * a resource (`undefined`), are traversed like any value
 * @throws RangeError for a value that contains itself, Error for a computed field that is not of its declared type
 */
export function encodeResult(value: unknown, resource: Resource | undefined, bytes: BytesForm): Encoded {
  if (!isContainer(value)) {
    const annotation = annotationOf(value, bytes);
    const json = encodeScalar(value, bytes);
    return annotation === undefined ? { json } : { json, serialization: { values: annotation } };
  }
  const values: Record<string, Annotation> = {};
  return withMetadata(new ResultWalk(bytes, values).container(value, '', resource), values);
}

/**
 * Encodes a part of a result, as {@link encodeResult} does.
 *
 * @returns the annotations by path, starting with {@link PART}. That is not a number, because numeric keys come first in an object
 */
export function encodePart(value: unknown, resource: Resource | undefined, bytes: BytesForm): EncodedPart {
  const values: Record<string, Annotation> = {};
  return { json: new ResultWalk(bytes, values).member(value, PART, resource), values };
}

/** The placeholder at the start of the paths of a part. It is replaced by the actual path of the part. */
export const PART = '$';

export interface EncodedPart {
  readonly json: unknown;
  readonly values: Readonly<Record<string, Annotation>>;
}

/** JSON with the metadata of its types. */
export interface Encoded {
  readonly json: unknown;
  readonly serialization?: Serialization;
}

function withMetadata(json: unknown, values: Readonly<Record<string, Annotation>>): Encoded {
  const paths = Object.keys(values);
  if (paths.length === 0) return { json };
  return { json, serialization: paths.some((path) => path.includes('\\\\')) ? { values, v: 1 } : { values } };
}

type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return Array.isArray(value) || isPlainObject(value);
}

/** One traversal of one result. A prefix is the path of a container with a final dot; it is undefined below a key that superjson forbids in paths. */
class ResultWalk {
  constructor(
    private readonly bytes: BytesForm,
    private readonly values: Record<string, Annotation>,
  ) {}

  container(value: Container, prefix: string | undefined, resource: Resource | undefined): Container {
    return isListContainer(value) ? this.list(value, prefix, resource) : this.object(value, prefix, resource);
  }

  private list(items: readonly unknown[], prefix: string | undefined, resource: Resource | undefined): readonly unknown[] {
    let copy: unknown[] | undefined;
    for (const [index, item] of items.entries()) {
      if (isJsonScalar(item)) continue;
      const json = this.member(item, prefix === undefined ? undefined : `${prefix}${index}`, resource);
      if (json === item) continue;
      copy ??= items.slice();
      copy[index] = json;
    }
    return copy ?? items;
  }

  private object(row: Readonly<Record<string, unknown>>, prefix: string | undefined, resource: Resource | undefined): Container {
    checkComputedFields(row, resource);
    let copy: Record<string, unknown> | undefined;
    for (const key of Object.keys(row)) {
      const value = row[key];
      const field = resource?.fields.get(key);
      if (isJsonScalar(value)) {
        this.noteWireText(value, field, joinPath(prefix, key));
        continue;
      }
      if (isJson(field, value)) continue;
      requireReadable(row, field, resource?.identifier);
      const json = this.member(value, joinPath(prefix, key), findRelatedResource(field));
      if (json === value) continue;
      // A spread defines even `__proto__` as an own property, so the assignment below does not call its setter.
      copy ??= { ...row };
      copy[key] = json;
    }
    return copy ?? row;
  }

  /** Adds the annotation of a value that SQL already returned as its JSON text. */
  private noteWireText(value: unknown, field: Field | undefined, path: string | undefined): void {
    if (typeof value !== 'string' || path === undefined || field?.kind !== 'attribute' || !TEXTS.has(field.type)) return;
    const annotation = field.list ? undefined : annotationOfTyped(field.type, value);
    if (annotation) this.values[path] = annotation;
  }

  member(value: unknown, path: string | undefined, resource: Resource | undefined): unknown {
    if (isContainer(value)) return this.container(value, path === undefined ? undefined : `${path}.`, resource);
    requireReadableResult(value);
    const annotation = annotationOf(value, this.bytes);
    if (annotation !== undefined && path !== undefined) this.values[path] = annotation;
    return annotation === DATE && value instanceof Date ? toIsoString(value) : encodeScalar(value, this.bytes);
  }
}

function findRelatedResource(field: Field | undefined): Resource | undefined {
  return field?.kind === 'relationship' ? field.target : undefined;
}

/** Types whose values the SQL executor returns as text. */
const TEXTS: ReadonlySet<Attribute['type']> = new Set(['BigInt', 'Decimal', 'DateTime'] as const);

function joinPath(prefix: string | undefined, key: string): string | undefined {
  return prefix === undefined || isReservedKey(key) ? undefined : prefix + escapeKey(key);
}

/** Whether a container is an array. `Array.isArray` does not narrow a readonly array. */
function isListContainer(value: Container): value is readonly unknown[] {
  return Array.isArray(value);
}

function isJson(field: Field | undefined, value: unknown): boolean {
  return field?.kind === 'attribute' && field.type === 'Json' && isContainer(value);
}

/** Whether a value needs neither encoding nor annotation, as most values of a row. */
function isJsonScalar(value: unknown): boolean {
  return typeof value === 'string' || value === null || typeof value === 'boolean' || (typeof value === 'number' && isJsonNumber(value));
}
