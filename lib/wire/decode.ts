import { isPlainObject } from './is-plain-object.js';
import { isReservedKey, parsePath } from './path.js';
import { ACCEPTED_TYPES, reviveValue, typeLabel, type ReviveDecimal } from './revive-value.js';

export interface DecodeOptions {
  /** A member of the JSON that paths may also start at, e.g. `data`; a path that leads somewhere from the root means that place. */
  readonly alsoUnder?: string;
  /** Makes a decimal from its text, e.g. `(text) => new Decimal(text)`. Without it decimals stay strings, as the data layer takes them. */
  readonly reviveDecimal?: ReviveDecimal;
}

export type Decoded = { readonly value: unknown } | { readonly fault: string };

/**
 * Revives what superjson's metadata says about a JSON value: for request bodies, for RPC arguments, and for answers in the typed client.
 *
 * By allow-list (decisions, "RPC details"): Date, bigint, undefined, the numbers that JSON lacks, custom Decimal and Bytes, and both
 * spellings of bytes as a typed array (Bytes become Uint8Array). Every spelling of the tree that superjson 1.13 and 2.2 read is read.
 * Paths lead through own members only, and to values that exist; so the work is bounded by the sizes of both inputs. What is changed
 * is copied first.
 *
 * `referentialEqualities` are checked, never applied. superjson writes them whenever one Date, bigint or object is used twice, and gives
 * each place its value all the same; only where its option `dedupe` has left null in such a place, the value is lost, and a fault.
 *
 * @param serialization the value of `meta.serialization`; undefined or null where there is none
 * @returns the value, or one sentence for the sender that names path and type
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

/** Deepest nesting of trees in trees. superjson reads them but writes flat paths, except around maps, sets and classes. */
const MAX_NESTING = 50;

type Container = Record<string, unknown>;

/** A member of a container that is already our own copy. */
interface Place {
  readonly container: Container;
  readonly key: string;
}

/** The paths, one inside the other, that led to a place; as the metadata spells them. */
type Trail = readonly string[];

class Decoder {
  private readonly root: Place;
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

  /** Each place that is said to share a value must hold it. */
  checkReferences(equalities: unknown): string | undefined {
    if (!isPlainObject(equalities)) return 'The serialization metadata has referentialEqualities of a form that is not accepted.';
    for (const path of Object.entries(equalities).flat(2)) {
      if (!this.holdsValue(path)) return `The serialization metadata refers to ${quote(path)}, where there is no value.`;
    }
    return undefined;
  }

  /** Revives all that a tree of annotations names, from one place on; a fault, or undefined when all went well. */
  apply(tree: unknown, from: Place = this.root, trail: Trail = []): string | undefined {
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

  private revive(node: readonly unknown[], { container, key }: Place, trail: Trail): string | undefined {
    const [type] = node;
    const revived = reviveValue(container[key], type, this.options.reviveDecimal ?? keepText);
    // No accepted type holds further values, so a node with children is a fault too.
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

  private find(path: string, from: Place): Place | undefined {
    const keys = parsePath(path, this.version);
    const { alsoUnder } = this.options;
    if (keys === undefined) return undefined;
    const place = this.follow(keys, from);
    return place ?? (from === this.root && alsoUnder !== undefined ? this.follow([alsoUnder, ...keys], from) : undefined);
  }

  /** Copies each container on the way, once. */
  private follow(keys: readonly string[], from: Place): Place | undefined {
    let place = from;
    for (const key of keys) {
      const container = this.open(place);
      if (container === undefined || isReservedKey(key) || !isOwn(container, key)) return undefined;
      place = { container, key };
    }
    return place;
  }

  private open({ container, key }: Place): Container | undefined {
    const value = container[key];
    if (this.copies.has(value)) return value as Container;
    if (!Array.isArray(value) && !isPlainObject(value)) return undefined;
    const copy = (Array.isArray(value) ? value.slice() : { ...value }) as Container;
    this.copies.add(copy);
    return (container[key] = copy);
  }
}

/** Own members as JSON has them: `length` of a list is none. */
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
