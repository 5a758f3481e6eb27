import type { Limits } from '../model/limits.js';

/** What one request asks of the database, in the units of its limits. All of it is counted on the final data client arguments. */
export interface Cost {
  /** Against `limits.maxFilterTerms`: conditions, elements of lists, hops over relations, words of searches, keys of orders, cursors. */
  readonly terms: number;
  /** Against `limits.maxJoins`: hops over relations, by weight. */
  readonly joins: number;
  /** Against `limits.maxDepth`: the deepest nesting of an argument, in objects. */
  readonly depth: number;
  /** Against `limits.maxValues`: elements of scalar lists and nodes of Json values that are written. */
  readonly values: number;
}

/** The limit that each part of a cost is held to, and what it is called in a refusal. */
export const COST_LIMITS = {
  terms: { limit: 'maxFilterTerms', unit: 'filter and sort terms' },
  joins: { limit: 'maxJoins', unit: 'joins' },
  depth: { limit: 'maxDepth', unit: 'levels of nesting' },
  values: { limit: 'maxValues', unit: 'values in lists and Json' },
} as const satisfies Readonly<Record<keyof Cost, { readonly limit: keyof Limits; readonly unit: string }>>;

/**
 * What things weigh. Calibrated on 100,000 rows with 300,000 related ones, where a weight of 30 joins or 100 terms stays near the default
 * `limits.maxDuration` at worst (docs/limits.md, "Time").
 */
export const WEIGHTS = {
  /** One row that another refers to, in a filter or an order: a look-up by key. */
  toOne: 1,
  /** A list of related rows in a filter, an order or a count: it may be read as a whole. */
  toMany: 2,
  /** A list of related rows multiplies what stands below it. */
  below: 4,
  /** A selected relation: one statement for the rows at hand. */
  selected: 1,
  /** A full-text search has every row's text taken apart, whatever it looks for. */
  search: 20,
  word: 1,
  /** A row that a page begins at: a look-up by key, and a comparison with each row. */
  cursor: 1,
  /** One for which the data client reads all rows that come after it: 1 to 4 s for 300,000. */
  rest: 60,
} as const;

export const NO_COST: Cost = { terms: 0, joins: 0, depth: 0, values: 0 };

/** Both together. Depths do not add up. */
export function addCosts(one: Cost, other: Cost): Cost {
  return {
    terms: one.terms + other.terms,
    joins: one.joins + other.joins,
    depth: Math.max(one.depth, other.depth),
    values: one.values + other.values,
  };
}
