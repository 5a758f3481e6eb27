import type { RelatedRelation } from './plan.js';

/** Whether the database stops at `take` in the list of one record. */
export function isTaken({ args }: RelatedRelation): boolean {
  return args['take'] !== undefined && args['distinct'] === undefined && args['cursor'] === undefined;
}
