import type { ManyMember } from '../query/selection.js';

/** Whether the statement for the list of one record stops at `take`. */
export function isTaken({ page: { take, distinct, cursor } }: ManyMember): boolean {
  return take !== undefined && distinct === undefined && cursor === undefined;
}
