import { both } from '../data-client/count-list.js';
import type { Where } from './rules-option.js';

/** All of several conditions; undefined where there is none. None of them is empty: within `AND` Prisma leaves out what is. */
export function allOf(conditions: readonly (Where | undefined)[]): Where | undefined {
  const wheres = conditions.filter((where) => where !== undefined);
  const [only, ...others] = wheres;
  return others.length === 0 ? only : { AND: wheres };
}

/**
 * A filter of the caller's with conditions of ours. Its own members stay where they are: a unique key, since Prisma looks for it there, and
 * `OR: []`, which finds nothing there and anything within `AND`.
 */
export function withConditions(where: Where, conditions: readonly (Where | undefined)[]): Where {
  const more = allOf(conditions);
  return more === undefined ? where : both(where, more);
}
