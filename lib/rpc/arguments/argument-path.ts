import { ApiError } from '../../errors/api-error.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { cut } from '../../errors/quote.js';
import { further, type IncludeRoute, MAX_TURNS, START_OF_ROUTE } from '../../model/surface/include-route.js';
import type { Limits } from '../../model/limits.js';
import type { Relationship, ResourceDatabase } from '../../model/surface/surface.js';
import { countNodes } from '../../wire/count-nodes.js';
import type { Place } from '../../prisma/place.js';
import type { CallCost } from '../../limits/cost.js';
import type { Storage } from '../../model/storage/storage.js';

/**
 * A path into the argument of one operation: its text for errors, its depth, and the budget of the operation for the limits.
 *
 * Every planner receives the path of its value and derives the paths of the members. Every error therefore has a path, and no argument is parsed
 * further than the limits allow.
 */
export class ArgumentPath {
  private constructor(
    private readonly budget: Budget,
    private readonly parent: ArgumentPath | undefined,
    private readonly at: Position,
  ) {}

  /**
   * Returns the path of the argument object of an operation.
   * @param call the text for errors about the operation itself, e.g. `post.findMany`
   */
  static root(budget: Budget, call: string, database: ResourceDatabase): ArgumentPath {
    return new ArgumentPath(budget, undefined, { key: call, database, depth: 0, hops: 0, route: START_OF_ROUTE });
  }

  member(name: string): ArgumentPath {
    return this.below({ ...this.at, key: name, depth: this.at.depth + 1 });
  }

  element(index: number): ArgumentPath {
    return this.below({ ...this.at, key: index });
  }

  /** Returns the path of the argument object of a selected relation. It is one hop further, and its depth starts at 0 again. */
  relation(relationship: Relationship): ArgumentPath {
    const route = further(this.at.route, relationship);
    const path = this.below({ ...this.at, key: relationship.name, depth: 0, hops: this.at.hops + 1, route });
    if (path.at.hops > this.budget.limits.maxIncludeDepth) path.exceed('selects relations deeper', 'maxIncludeDepth');
    if (route.turns > MAX_TURNS) path.refuse(`turns back over the relation it came by more than ${MAX_TURNS} time.`, 'limit-exceeded');
    return path;
  }

  /** Rejects an object that nests deeper than `limits.maxDepth`. It is called before the members of an object are parsed. */
  enter(): void {
    if (this.at.depth > this.budget.limits.maxDepth) this.exceed('nests deeper', 'maxDepth');
  }

  /**
   * Counts conditions of a filter, elements of its lists, and terms of an order. It is called before they are parsed, so that parsing stops at the
   * limit.
   */
  spendTerms(count: number): void {
    this.budget.terms += count;
    if (this.budget.terms > this.budget.limits.maxFilterTerms) this.exceed('needs more filter and sort terms', 'maxFilterTerms');
  }

  /** Counts the values in a written list or Json value. It is called before the value is parsed. */
  spendValues(value: unknown): void {
    const { limits, values } = this.budget;
    this.budget.values += countNodes(value, limits.maxValues - values);
    if (this.budget.values > limits.maxValues) this.exceed('writes more values', 'maxValues');
  }

  /** Counts written records. It is called before they are parsed. */
  spendRecords(count: number): void {
    this.budget.records += count;
    if (this.budget.records > this.budget.limits.maxBatchSize) this.exceed('writes more records', 'maxBatchSize');
  }

  /**
   * Returns the result of a planner for a value with another possible meaning; undefined if the planner rejects it. Its counts remain in the budget.
   */
  attempt<Planned>(plan: () => Planned): Planned | undefined {
    try {
      return plan();
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }

  /** Whether the operation shares its limits with others. */
  get isBatch(): boolean {
    return this.budget.isBatch;
  }

  /** Returns the storage view of the models, to which the nodes of the query refer. */
  get storage(): Budget['storage'] {
    return this.budget.storage;
  }

  /** Returns the database of the operation, because databases differ in their operators. */
  get database(): ResourceDatabase {
    return this.at.database;
  }

  /** Returns the largest number of rows that one read may return. */
  get maxTake(): number {
    return this.budget.limits.maxTake;
  }

  /** Rejects a value that exceeds a limit. The error has the name and the value of the limit. */
  exceed(what: string, limit: keyof Limits): never {
    this.refuse(`${what} than limits.${limit} allows: ${this.budget.limits[limit]}.`, 'limit-exceeded');
  }

  /** Rejects the value. @param sentence the fault, as a predicate of the path, e.g. `must be an object.` */
  refuse(sentence: string, code: ErrorCode = 'invalid-payload'): never {
    throw new ApiError(code, `${this.text} ${sentence}`, { ...pathOf(this), fault: sentence });
  }

  /** Rejects an unknown key. Hidden fields are unknown as well. */
  refuseUnknown(known: Iterable<string>): never {
    const remedy = didYouMean(String(this.at.key), known);
    throw new ApiError('invalid-payload', `Unknown argument ${this.text}.${remedy}`, {
      ...pathOf(this),
      fault: `is an unknown argument.${remedy}`,
    });
  }

  /** The path in dotted form: `where.OR.0.author.email`. */
  get text(): string {
    return this.parent ? this.keys.map(keyText).join('.') : String(this.at.key);
  }

  /** The path for errors; undefined for the argument itself. */
  get path(): string | undefined {
    return this.parent ? this.text : undefined;
  }

  /** The keys that lead to the value: `['data', 'posts', 'create', 0]`. */
  get keys(): readonly (string | number)[] {
    return this.parent ? [...this.parent.keys, this.at.key] : [];
  }

  private below(at: Position): ArgumentPath {
    return new ArgumentPath(this.budget, this, at);
  }
}

/** An empty key is quoted, because a path without it would be another one. */
function keyText(key: string | number): string {
  return key === '' ? "''" : cut(String(key));
}

/** Returns the option `path` of an error about a value. */
export function pathOf({ path }: Pick<Place, 'path'>): { readonly path?: string } {
  return path === undefined ? {} : { path };
}

interface Position {
  readonly key: string | number;
  readonly database: ResourceDatabase;
  /** The number of enclosing objects within one argument. */
  readonly depth: number;
  /** The number of relations that lead to it by `include` or `select`. */
  readonly hops: number;
  readonly route: IncludeRoute;
}

/** The limits of a request, and how much of them it has used. The operations of a batch share one budget. */
export interface Budget {
  readonly limits: Limits;
  /** Whether the request is a batch, whose results are limited together. */
  readonly isBatch: boolean;
  readonly storage: Storage;
  /** These counters increase while arguments are parsed, so that parsing stops at a limit. */
  terms: number;
  records: number;
  values: number;
  /** The costs of the calls planned so far. */
  readonly costs: CallCost[];
}

export function startBudget(limits: Limits, storage: Storage, { isBatch = false }: { readonly isBatch?: boolean } = {}): Budget {
  return { limits, isBatch, storage, terms: 0, records: 0, values: 0, costs: [] };
}
