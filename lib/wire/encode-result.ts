// A whole-statement type import leaves nothing behind, so that the client's bundle does not reach the model.
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
 * A result of the data client as JSON and its metadata, exactly as superjson's `serialize` gives them (json and `meta.values`), but for -0, in one walk.
 *
 * Containers in which nothing changes are returned themselves; the input is never mutated. Only plain objects and lists are walked; whatever
 * else is no scalar (class instances, maps, functions) stays, for `JSON.stringify` to render. Below a key that superjson refuses in paths
 * (`__proto__`, `constructor`, `prototype`) values get their JSON form without metadata, where superjson throws.
 *
 * @param resource whose rows these are: its Json fields, however large, are passed without a look inside. Keys that it does not know
 *   (`_count`, `_sum`) and the results of no one resource (`undefined`) are walked like any other value
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

/** {@link encodeResult} for a list of results, each of a resource of its own. */
export function encodeResults(results: readonly ResourceResult[], bytes: BytesForm): Encoded {
  const values: Record<string, Annotation> = {};
  const walk = new ResultWalk(bytes, values);
  const json = results.map(({ value, resource }, index) => walk.member(value, String(index), resource));
  return withMetadata(json, values);
}

/**
 * {@link encodeResult} for a part of a result.
 *
 * @returns its annotations by path from {@link PART} on, which is no number: those would come first
 */
export function encodePart(value: unknown, resource: Resource | undefined, bytes: BytesForm): EncodedPart {
  const values: Record<string, Annotation> = {};
  return { json: new ResultWalk(bytes, values).member(value, PART, resource), values };
}

/** The path of a part, which is put in its place. */
export const PART = '$';

export interface EncodedPart {
  readonly json: unknown;
  readonly values: Readonly<Record<string, Annotation>>;
}

/** A result, and the resource whose rows it holds. */
export interface ResourceResult {
  readonly value: unknown;
  readonly resource: Resource | undefined;
}

/** JSON, and what its types were. */
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

/** One walk over one result. A prefix is the path of a container with its dot; undefined where no path can lead. */
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
      // A spread defines even a `__proto__` as an own property, so that the assignment below finds it and no setter.
      copy ??= { ...row };
      copy[key] = json;
    }
    return copy ?? row;
  }

  /** SQL reads give the text that a value becomes. */
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

/** Types whose values SQL reads give as text. */
const TEXTS: ReadonlySet<Attribute['type']> = new Set(['BigInt', 'Decimal', 'DateTime'] as const);

function joinPath(prefix: string | undefined, key: string): string | undefined {
  return prefix === undefined || isReservedKey(key) ? undefined : prefix + escapeKey(key);
}

/** Array.isArray does not narrow a readonly list. */
function isListContainer(value: Container): value is readonly unknown[] {
  return Array.isArray(value);
}

function isJson(field: Field | undefined, value: unknown): boolean {
  return field?.kind === 'attribute' && field.type === 'Json' && isContainer(value);
}

/** What needs neither a change nor a note: by far the most values of a row. */
function isJsonScalar(value: unknown): boolean {
  return typeof value === 'string' || value === null || typeof value === 'boolean' || (typeof value === 'number' && isJsonNumber(value));
}
