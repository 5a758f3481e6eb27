import { ApiError } from '../../errors/api-error.js';
import { type ErrorCode } from '../../errors/error-catalogue.js';
import { didYouMean } from '../../errors/did-you-mean.js';
import { cut } from '../../errors/quote.js';
import { further, type IncludeRoute, MAX_TURNS, START_OF_ROUTE } from '../../model/include-route.js';
import { type Limits } from '../../model/limits.js';
import { type Relationship } from '../../model/resource-model.js';

/**
 * A place in the argument of one operation: its path for error texts, its depth and the operation's budget for the limits.
 *
 * Every planner gets the spot of the value that it plans and makes the spots of that value's members, so that nothing is refused without
 * its path, and nothing is walked into that nests deeper or branches wider than the limits say.
 */
export class Spot {
  private constructor(
    private readonly budget: Budget,
    private readonly parent: Spot | undefined,
    private readonly at: Position,
  ) {}

  /**
   * The argument object of an operation.
   * @param call names the operation where there is no path, e.g. `post.findMany`
   */
  static root(limits: Limits, call: string): Spot {
    return new Spot({ limits, terms: 0, records: 0 }, undefined, { key: call, depth: 0, hops: 0, route: START_OF_ROUTE });
  }

  member(name: string): Spot {
    return this.below({ ...this.at, key: name, depth: this.at.depth + 1 });
  }

  element(index: number): Spot {
    return this.below({ ...this.at, key: index });
  }

  /** The argument object of a selected relation: one hop further, and its own arguments nest from there. */
  relation(relationship: Relationship): Spot {
    const route = further(this.at.route, relationship);
    const spot = this.below({ key: relationship.name, depth: 0, hops: this.at.hops + 1, route });
    if (spot.at.hops > this.budget.limits.maxIncludeDepth) spot.exceed('selects relations deeper', 'maxIncludeDepth');
    if (route.turns > MAX_TURNS) spot.refuse(`turns back over the relation it came by more than ${MAX_TURNS} time.`, 'limit-exceeded');
    return spot;
  }

  /** Called for every object before it is walked into. */
  enter(): void {
    if (this.at.depth > this.budget.limits.maxDepth) this.exceed('nests deeper', 'maxDepth');
  }

  /** Counts conditions of a filter, elements of its lists, and terms of an order. Ask before walking what is counted. */
  spendTerms(count: number): void {
    this.budget.terms += count;
    if (this.budget.terms > this.budget.limits.maxFilterTerms) this.exceed('needs more filter and sort terms', 'maxFilterTerms');
  }

  /** Counts records that are written. Ask before walking what is counted. */
  spendRecords(count: number): void {
    this.budget.records += count;
    if (this.budget.records > this.budget.limits.maxBatchSize) this.exceed('writes more records', 'maxBatchSize');
  }

  /** Rows that one read may return. */
  get maxTake(): number {
    return this.budget.limits.maxTake;
  }

  /** A value over a limit, named with the limit and its value. */
  exceed(what: string, limit: keyof Limits): never {
    throw new ApiError('limit-exceeded', `${this.path} ${what} than limits.${limit} allows: ${this.budget.limits[limit]}.`);
  }

  /** @param sentence what is wrong, as a predicate of the path, e.g. `must be an object.` */
  refuse(sentence: string, code: ErrorCode = 'invalid-payload'): never {
    throw new ApiError(code, `${this.path} ${sentence}`);
  }

  /** A key that means nothing here; hidden fields are such keys. */
  refuseUnknown(known: Iterable<string>): never {
    throw new ApiError('invalid-payload', `Unknown argument ${this.path}.${didYouMean(String(this.at.key), known)}`);
  }

  /** As the client would write it: `where.OR.0.author.email`. */
  get path(): string {
    return this.parent ? this.keys().join('.') : String(this.at.key);
  }

  private keys(): readonly string[] {
    return this.parent ? [...this.parent.keys(), cut(String(this.at.key))] : [];
  }

  private below(at: Position): Spot {
    return new Spot(this.budget, this, at);
  }
}

interface Position {
  readonly key: string | number;
  /** Objects around it, within one argument. */
  readonly depth: number;
  /** Relations that lead to it by `include` or `select`. */
  readonly hops: number;
  readonly route: IncludeRoute;
}

/** What one operation has used up. */
interface Budget {
  readonly limits: Limits;
  terms: number;
  records: number;
}
