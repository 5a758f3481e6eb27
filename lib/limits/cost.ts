import type { Limits } from '../model/limits.js';

/** The cost of one request for the database, in the units of `limits`. It is measured on the final queries, by Prisma's arguments. */
export interface Cost {
  /** Compared with `limits.maxFilterTerms`: conditions, elements of lists, hops over relations, words of searches, keys of orders, cursors. */
  readonly terms: number;
  /** Compared with `limits.maxJoins`: hops over relations, weighted by {@link WEIGHTS}. */
  readonly joins: number;
  /** Compared with `limits.maxDepth`: the deepest nesting of objects in an argument. */
  readonly depth: number;
  /** Compared with `limits.maxValues`: elements of written scalar lists, and nodes of written Json values. */
  readonly values: number;
}

/** The limit of each part of a cost, and its unit in error messages. */
export const COST_LIMITS = {
  terms: { limit: 'maxFilterTerms', unit: 'filter and sort terms' },
  joins: { limit: 'maxJoins', unit: 'joins' },
  depth: { limit: 'maxDepth', unit: 'levels of nesting' },
  values: { limit: 'maxValues', unit: 'values in lists and Json' },
} as const satisfies Readonly<Record<keyof Cost, { readonly limit: keyof Limits; readonly unit: string }>>;

/**
 * The weights of the parts of a query. They are calibrated on 100,000 rows with 300,000 related rows. There, 30 joins or 100 terms take at worst
 * about the default `limits.maxDuration` (docs/limits.md, "Time").
 */
export const WEIGHTS = {
  /** A hop over a to-one relation in a filter or an order: a look-up by key. */
  toOne: 1,
  /** A hop over a to-many relation in a filter, an order or a count. The database may scan all related rows. */
  toMany: 2,
  /** The factor by which a to-many relation multiplies the joins nested in it. */
  below: 4,
  /** A selected relation: one statement for all parent rows. */
  selected: 1,
  /** A full-text search. The database parses the text of every row, for any search text. */
  search: 20,
  word: 1,
  /** A cursor: a look-up of its row by key, and a comparison with each row. */
  cursor: 1,
  /** A cursor in an order that is not total. The data client then reads all rows after it: 1 to 4 s for 300,000 rows. */
  rest: 60,
} as const;

export const NO_COST: Cost = { terms: 0, joins: 0, depth: 0, values: 0 };

/** Adds two costs. The depth is the maximum of both. */
export function addCosts(one: Cost, other: Cost): Cost {
  return {
    terms: one.terms + other.terms,
    joins: one.joins + other.joins,
    depth: Math.max(one.depth, other.depth),
    values: one.values + other.values,
  };
}

/** An accumulator of the cost of one argument. */
export class Meter {
  private readonly spent = { terms: 0, joins: 0, depth: 0, values: 0 };

  terms(count: number): void {
    this.spent.terms += count;
  }

  joins(weight: number): void {
    this.spent.joins += weight;
  }

  values(count: number): void {
    this.spent.values += count;
  }

  /** Records an object at a nesting depth. */
  depth(depth: number): void {
    this.spent.depth = Math.max(this.spent.depth, depth);
  }

  total(): Cost {
    return { ...this.spent };
  }
}
