import { type Plan, queriesOf } from '../executor/plan.js';
import { addCosts, NO_COST } from './cost.js';
import { measureCost } from './measure-cost.js';

/** Returns the sum of the filter terms and joins of a plan, as `limits` counts them: the total of a page has the cost of the page. */
export function costOfPlan(plan: Plan): number {
  const { terms, joins } = (plan.kind === 'collection' ? [plan.rows.query] : queriesOf(plan))
    .flatMap((query) => Object.values(measureCost(query)))
    .reduce(addCosts, NO_COST);
  return terms + joins;
}
