import type { CallCost, Cost } from '../../lib/limits/cost.js';

/** What calls cost together, in all of their arguments. */
export function sumCosts(...calls: readonly CallCost[]): Cost {
  const costs = calls.flatMap((call) => Object.values(call));
  const sum = (part: keyof Cost): number => costs.reduce((total, cost) => total + cost[part], 0);
  return { terms: sum('terms'), joins: sum('joins'), values: sum('values'), depth: Math.max(0, ...costs.map(({ depth }) => depth)) };
}
