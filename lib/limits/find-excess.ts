import type { Limits } from '../model/limits.js';
import { type Cost, COST_LIMITS } from './cost.js';
import { type CallCost, sumCosts } from './measure-cost.js';

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
