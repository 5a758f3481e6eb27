import { ApiError } from '../../errors/api-error.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { cut } from '../../errors/quote.js';
import { further, type IncludeRoute, MAX_TURNS, START_OF_ROUTE } from '../../model/surface/include-route.js';
import type { Limits } from '../../model/limits.js';
import type { Budget } from './budget.js';
import type { Relationship, ResourceDatabase } from '../../model/surface/surface.js';
import { countNodes } from '../../wire/count-nodes.js';
import type { Place } from '../../prisma/place.js';

/**
 * A path into the argument of one operation: its text for errors, its depth, and the operation's budget for the limits.
 *
 * Every planner gets the path of the value that it plans and makes the paths of that value's members, so that nothing is refused without
 * its path, and nothing is walked into that nests deeper or branches wider than the limits say.
 */
export class ArgumentPath {
  private constructor(
    private readonly budget: Budget,
    private readonly parent: ArgumentPath | undefined,
    private readonly at: Position,
  ) {}

  /**
   * The argument object of an operation.
   * @param call names the operation where there is no path, e.g. `post.findMany`
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

  /** The argument object of a selected relation: one hop further, and its own arguments nest from there. */
  relation(relationship: Relationship): ArgumentPath {
    const route = further(this.at.route, relationship);
    const path = this.below({ ...this.at, key: relationship.name, depth: 0, hops: this.at.hops + 1, route });
    if (path.at.hops > this.budget.limits.maxIncludeDepth) path.exceed('selects relations deeper', 'maxIncludeDepth');
    if (route.turns > MAX_TURNS) path.refuse(`turns back over the relation it came by more than ${MAX_TURNS} time.`, 'limit-exceeded');
    return path;
  }

  /** Called for every object before it is walked into. */
  enter(): void {
    if (this.at.depth > this.budget.limits.maxDepth) this.exceed('nests deeper', 'maxDepth');
  }

  /** Counts conditions of a filter, elements of its lists, and terms of an order, so that no more is walked than can be allowed. */
  spendTerms(count: number): void {
    this.budget.terms += count;
    if (this.budget.terms > this.budget.limits.maxFilterTerms) this.exceed('needs more filter and sort terms', 'maxFilterTerms');
  }

  /** Counts what a list or Json value that is written holds. Ask before walking what is counted. */
  spendValues(value: unknown): void {
    const { limits, values } = this.budget;
    this.budget.values += countNodes(value, limits.maxValues - values);
    if (this.budget.values > limits.maxValues) this.exceed('writes more values', 'maxValues');
  }

  /** Counts records that are written. Ask before walking what is counted. */
  spendRecords(count: number): void {
    this.budget.records += count;
    if (this.budget.records > this.budget.limits.maxBatchSize) this.exceed('writes more records', 'maxBatchSize');
  }

  /** What a planner makes of a value that may be meant otherwise; undefined where it refuses it. What it has counted stays counted. */
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

  /** What the nodes that are made of the argument hold. */
  get storage(): Budget['storage'] {
    return this.budget.storage;
  }

  /** Where the operation will run: databases differ in their operators. */
  get database(): ResourceDatabase {
    return this.at.database;
  }

  /** Rows that one read may return. */
  get maxTake(): number {
    return this.budget.limits.maxTake;
  }

  /** A value over a limit, named with the limit and its value. */
  exceed(what: string, limit: keyof Limits): never {
    this.refuse(`${what} than limits.${limit} allows: ${this.budget.limits[limit]}.`, 'limit-exceeded');
  }

  /** @param sentence what is wrong, as a predicate of the path, e.g. `must be an object.` */
  refuse(sentence: string, code: ErrorCode = 'invalid-payload'): never {
    throw new ApiError(code, `${this.text} ${sentence}`, { ...pathOf(this), fault: sentence });
  }

  /** A key that means nothing here; hidden fields are such keys. */
  refuseUnknown(known: Iterable<string>): never {
    const remedy = didYouMean(String(this.at.key), known);
    throw new ApiError('invalid-payload', `Unknown argument ${this.text}.${remedy}`, {
      ...pathOf(this),
      fault: `is an unknown argument.${remedy}`,
    });
  }

  /** As the client would write it: `where.OR.0.author.email`. */
  get text(): string {
    return this.parent ? this.keys.map((key) => cut(String(key))).join('.') : String(this.at.key);
  }

  /** The path as an error has it; undefined for the argument itself. */
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

/** The option of an error about the value at a place. */
export function pathOf({ path }: Pick<Place, 'path'>): { readonly path?: string } {
  return path === undefined ? {} : { path };
}

interface Position {
  readonly key: string | number;
  readonly database: ResourceDatabase;
  /** Objects around it, within one argument. */
  readonly depth: number;
  /** Relations that lead to it by `include` or `select`. */
  readonly hops: number;
  readonly route: IncludeRoute;
}
