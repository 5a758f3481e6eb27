import { isPlainObject } from './is-plain-object.js';
import { isReservedKey, parsePath } from './path.js';
import { ACCEPTED_TYPES, reviveValue, typeLabel, type ReviveDecimal } from './revive-value.js';

export interface DecodeOptions {
  /** A member of the JSON, e.g. `data`, from which paths are resolved as well. A path that resolves from the root takes precedence. */
  readonly alsoUnder?: string;
  /** Converts a decimal from text, e.g. `(text) => new Decimal(text)`. Without it, decimals stay strings, which the data layer accepts. */
  readonly reviveDecimal?: ReviveDecimal;
}

export type Decoded = { readonly value: unknown } | { readonly fault: string };

/**
 * Decodes JSON with superjson metadata: request bodies, RPC arguments, and responses in the typed client.
 *
 * Only types of an allow-list are accepted: Date, bigint, undefined, the numbers that JSON lacks, custom Decimal and Bytes, and superjson's
 * two names of a typed array of bytes (both become Uint8Array). Every form of the annotation tree that superjson 1.13 and 2.2 read is
 * accepted.
 * Paths resolve through own members only, and to existing values, so the work is bounded by the sizes of both inputs. Containers are copied
 * before they are changed.
 *
 * `referentialEqualities` are validated and not applied. Because superjson repeats a shared Date, bigint or object in every place, nothing
 * is lost. Only its option `dedupe` writes null in such a place; that is a fault.
 *
 * @param serialization the value of `meta.serialization`; undefined or null where there is none
 * @returns the value, or one sentence for the client that names path and type
 */
export function decode(json: unknown, serialization: unknown, options: DecodeOptions = {}): Decoded {
  if (serialization === undefined || serialization === null) return { value: json };
  const metadata = readMetadata(serialization);
  if ('fault' in metadata) return metadata;
  const decoder = new Decoder(json, metadata.v, options);
  const fault = decoder.checkReferences(metadata.referentialEqualities) ?? decoder.apply(metadata.values);
  return fault === undefined ? { value: decoder.value } : { fault };
}

interface Metadata {
  readonly values: unknown;
  readonly referentialEqualities: unknown;
  readonly v: 0 | 1;
}

const MEMBERS: ReadonlySet<string> = new Set(['values', 'referentialEqualities', 'v']);

function readMetadata(serialization: unknown): Metadata | { readonly fault: string } {
  if (!isPlainObject(serialization)) return { fault: 'The serialization metadata is not an object.' };
  const stranger = Object.keys(serialization).find((name) => !MEMBERS.has(name));
  if (stranger !== undefined) return { fault: `The serialization metadata has an unknown member ${quote(stranger)}.` };
  const { values = {}, referentialEqualities = {}, v = 0 } = serialization;
  return v === 0 || v === 1 ? { values, referentialEqualities, v } : { fault: 'The serialization metadata is of an unknown version.' };
}

/** The maximum nesting of annotation trees. superjson writes flat paths, except around maps, sets and classes. */
const MAX_NESTING = 50;

type Container = Record<string, unknown>;

/** A member of a container that has already been copied. */
interface CopiedMember {
  readonly container: Container;
  readonly key: string;
}

/** The nested paths from the root to a place, as written in the metadata. */
type Trail = readonly string[];

class Decoder {
  private readonly root: CopiedMember;
  private readonly copies = new Set<unknown>();

  constructor(
    json: unknown,
    private readonly version: 0 | 1,
    private readonly options: DecodeOptions,
  ) {
    this.root = { container: { value: json }, key: 'value' };
  }

  get value(): unknown {
    return this.root.container[this.root.key];
  }

  /** Returns a fault when a path of `referentialEqualities` does not lead to a value. */
  checkReferences(equalities: unknown): string | undefined {
    if (!isPlainObject(equalities)) return 'The serialization metadata has referentialEqualities of a form that is not accepted.';
    for (const path of Object.entries(equalities).flat(2)) {
      if (!this.holdsValue(path)) return `The serialization metadata refers to ${quote(path)}, where there is no value.`;
    }
    return undefined;
  }

  /** Converts all annotated values of a tree, starting at one place. Returns a fault, or undefined on success. */
  apply(tree: unknown, from: CopiedMember = this.root, trail: Trail = []): string | undefined {
    if (Array.isArray(tree)) return this.revive(tree, from, trail);
    if (!isPlainObject(tree) || trail.length > MAX_NESTING) return `The serialization metadata is malformed at ${describeTrail(trail)}.`;
    for (const [path, subtree] of Object.entries(tree)) {
      const place = this.find(path, from);
      const here = [...trail, path];
      if (place === undefined) return `The serialization metadata names ${describeTrail(here)}, which is not the path of a value.`;
      const fault = this.apply(subtree, place, here);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  private revive(node: readonly unknown[], { container, key }: CopiedMember, trail: Trail): string | undefined {
    const [type] = node;
    const revived = reviveValue(container[key], type, this.options.reviveDecimal ?? keepText);
    // Because no accepted type contains other values, a node with children is a fault too.
    if (revived !== undefined && 'value' in revived && node.length === 1) {
      container[key] = revived.value;
      return undefined;
    }
    const statement = `The serialization metadata gives ${describeTrail(trail)} the type ${quote(typeLabel(type))}`;
    if (revived === undefined) return `${statement}; accepted are ${ACCEPTED_TYPES.join(', ')}.`;
    return 'expected' in revived ? `${statement}, but its value is not ${revived.expected}.` : `${statement} and values inside it.`;
  }

  private holdsValue(path: unknown): boolean {
    const place = typeof path === 'string' ? this.find(path, this.root) : undefined;
    return place !== undefined && place.container[place.key] !== null;
  }

  private find(path: string, from: CopiedMember): CopiedMember | undefined {
    const keys = parsePath(path, this.version);
    const { alsoUnder } = this.options;
    if (keys === undefined) return undefined;
    const place = this.follow(keys, from);
    return place ?? (from === this.root && alsoUnder !== undefined ? this.follow([alsoUnder, ...keys], from) : undefined);
  }

  /** Resolves a path, and copies each container on it once. */
  private follow(keys: readonly string[], from: CopiedMember): CopiedMember | undefined {
    let place = from;
    for (const key of keys) {
      const container = this.open(place);
      if (container === undefined || isReservedKey(key) || !isOwn(container, key)) return undefined;
      place = { container, key };
    }
    return place;
  }

  private open({ container, key }: CopiedMember): Container | undefined {
    const value = container[key];
    if (this.copies.has(value)) return value as Container;
    if (!Array.isArray(value) && !isPlainObject(value)) return undefined;
    const copy = (Array.isArray(value) ? value.slice() : { ...value }) as Container;
    this.copies.add(copy);
    return (container[key] = copy);
  }
}

/** Whether a key is an own enumerable member, as in JSON; `length` of an array is not. */
function isOwn(container: Container, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(container, key);
}

function keepText(text: string): string {
  return text;
}

function describeTrail(trail: Trail): string {
  return trail.length === 0 ? 'the whole value' : quote(trail.join('.'));
}

const LONGEST_QUOTE = 100;

function quote(text: unknown): string {
  if (typeof text !== 'string') return 'no path';
  return `'${text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text}'`;
}
