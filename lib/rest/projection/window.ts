import type { Order } from '../../query/order.js';
import type { Condition } from '../../query/condition.js';

/** Which members of an included to-many relationship are shown, and in which order: of each resource that has it (PI-03). */
export interface Window {
  /** What was asked, for the planner alone. */
  readonly asked: object;
  readonly isFiltered: boolean;
  /** `limit` is Infinity where the members are not paged. */
  readonly page: { readonly offset: number; readonly limit: number };
  /** Whether all that meet the filter are counted. */
  readonly isCounted: boolean;
  /** The parameters of the relationship's own URL that show the same, but for the page. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** A window as the rows of its relationship are read. */
export interface WindowNodes {
  readonly where: Condition;
  /** It orders before the keys do. */
  readonly order: Order;
}

/** Makes nodes of what a window asks. */
export type PlanWindow = (window: Window) => WindowNodes;

/** How many rows of a window are read: one too many where only that can tell whether there are more. */
export function takeOf({ page: { limit }, isCounted }: Window): number {
  return isCounted ? limit : limit + 1;
}
