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

/** A cost that grows while an argument is measured. */
export type Meter = { -readonly [Part in keyof Cost]: Cost[Part] };

/** The cost of a query by argument. An argument without cost may be missing. */
export type CallCost = Readonly<Record<string, Cost>>;

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

export function startMeter(): Meter {
  return { ...NO_COST };
}

/** Records an object at a nesting depth. */
export function recordDepth(meter: Meter, depth: number): void {
  if (depth > meter.depth) meter.depth = depth;
}

/** Returns the cost of all arguments of queries together. The depth is that of the deepest argument. */
export function sumCosts(calls: readonly CallCost[]): Cost {
  const total = startMeter();
  for (const call of calls) {
    for (const { terms, joins, depth, values } of Object.values(call)) {
      total.terms += terms;
      total.joins += joins;
      total.values += values;
      recordDepth(total, depth);
    }
  }
  return total;
}

/** A limit that a request exceeds. */
export interface Excess {
  readonly limit: keyof Limits;
  /** The argument with the largest share. */
  readonly argument: string;
  /** One sentence: the cost by argument, and the limit. */
  readonly detail: string;
}

/**
 * Returns the first limit that the calls of a request exceed together; undefined if there is none. A batch has the limits of one request.
 *
 * @param nameOf maps an argument to the client's name of it, e.g. `where` to `filter` in REST
 */
export function findExcess(
  calls: readonly CallCost[],
  limits: Limits,
  nameOf: (argument: string) => string = (argument) => argument,
): Excess | undefined {
  const total = sumCosts(calls);
  const over = KINDS.find((kind) => total[kind] > limits[COST_LIMITS[kind].limit]);
  if (over === undefined) return undefined;
  const parts = calls.flatMap((call) => Object.entries(call));
  const { limit, unit } = COST_LIMITS[over];
  const shares = sharesOf(parts, over).slice(0, over === 'depth' ? 1 : undefined);
  const list = shares.map(([argument, share]) => `${nameOf(argument)} ${share}`).join(', ');
  const detail = `The request needs ${total[over]} ${unit} (${list}); limits.${limit} allows ${limits[limit]}.`;
  return { limit, argument: shares[0]?.[0] ?? '', detail };
}

const KINDS: readonly (keyof Cost)[] = ['terms', 'joins', 'depth', 'values'];

/** Returns the cost of each argument, the largest first. */
function sharesOf(parts: readonly (readonly [argument: string, cost: Cost])[], kind: keyof Cost): readonly (readonly [string, number])[] {
  const costs = new Map<string, number>();
  for (const [argument, { [kind]: cost }] of parts) {
    const before = costs.get(argument) ?? 0;
    costs.set(argument, kind === 'depth' ? Math.max(before, cost) : before + cost);
  }
  return [...costs].filter(([, cost]) => cost > 0).sort(([, one], [, other]) => other - one);
}
