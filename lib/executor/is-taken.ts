import type { ManyMember } from '../query/selection.js';

/** Whether the database stops at `take` in the list of one record. */
export function isTaken({ page: { take, distinct, cursor } }: ManyMember): boolean {
  return take !== undefined && distinct === undefined && cursor === undefined;
}
