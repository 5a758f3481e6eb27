import type { ResourceSchema } from '../../lib/index.js';
import { resourceSchema } from './generated/resource-schema.js';

const { models }: ResourceSchema = resourceSchema;

/** The cost of a call's arguments, counted in a second way: by the names in the Prisma schema alone, without weights. */
export interface NaiveCost {
  /** Names of relations in filters, orders, counts and selections. */
  readonly hops: number;
  /** Lists of related rows within lists of related rows, at their deepest, in one filter. */
  readonly listsDeep: number;
  readonly searches: number;
  /** Words of all searches. */
  readonly words: number;
  /** Elements of the longest list. */
  readonly longest: number;
  /** Values that are compared with, and keys of orders. */
  readonly leaves: number;
}

interface Place {
  readonly model: string;
  /** Name of the member that holds the value. */
  readonly key: string;
  readonly lists: number;
  /** Whether it is part of a filter or an order. */
  readonly isCondition: boolean;
}

type Count = { -readonly [Part in keyof NaiveCost]: number };

/**
 * Walks the arguments of a call of a model.
 *
 * @example
 * naiveCost('Post', { where: { author: { posts: { some: {} } } } }).hops; // 2
 */
export function naiveCost(model: string, args: Readonly<Record<string, unknown>>): NaiveCost {
  const count = { hops: 0, listsDeep: 0, searches: 0, words: 0, longest: 0, leaves: 0 };
  walk(args, { model, key: '', lists: 0, isCondition: false }, count);
  return count;
}

function walk(value: unknown, place: Place, count: Count): void {
  count.listsDeep = Math.max(count.listsDeep, place.lists);
  if (Array.isArray(value)) count.longest = Math.max(count.longest, value.length);
  else if (place.key === 'search') countSearch(String(value), count);
  if (typeof value !== 'object' || value === null) {
    if (place.isCondition) count.leaves += 1;
    return;
  }
  const entries: readonly (readonly [string, unknown])[] = Array.isArray(value)
    ? value.map((element: unknown) => [place.key, element])
    : Object.entries(value);
  for (const [key, member] of entries) walk(member, step(key, { value: member, from: place, isName: !Array.isArray(value) }, count), count);
}

interface Step {
  readonly value: unknown;
  readonly from: Place;
  readonly isName: boolean;
}

function step(key: string, { value, from, isName }: Step, count: Count): Place {
  const isCondition = from.isCondition || ARGUMENTS.has(key);
  const field = isName ? models[from.model]?.fields[key] : undefined;
  if (field?.kind !== 'relation' || value === false) return { ...from, key, isCondition: key === 'select' ? false : isCondition };
  count.hops += 1;
  return { model: field.type, key, isCondition, lists: from.lists + (from.isCondition && field.list ? 1 : 0) };
}

/** Arguments whose values are conditions and keys, on the root and in a selected relation. */
const ARGUMENTS: ReadonlySet<string> = new Set(['where', 'orderBy', 'having']);

function countSearch(text: string, count: Count): void {
  count.searches += 1;
  count.words += text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '').length;
}
