import { addCosts, type Cost, NO_COST } from '../../lib/limits/cost.js';
import type { CallCost } from '../../lib/limits/measure-cost.js';

/** What calls cost together, in all of their arguments. */
export function sumCosts(...calls: readonly CallCost[]): Cost {
  return calls.flatMap((call) => Object.values(call)).reduce(addCosts, NO_COST);
}
