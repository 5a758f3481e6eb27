import { upTo } from '../../cost/up-to.js';

/**
 * Has the database stop at one row more than `limits.maxTake`, where the client has not said how many it wants. Distinct rows are counted
 * only, for Prisma finds them in memory; and so are in effect the lists of several rows, which it loads by one statement without a limit.
 */
export function cutList(args: Readonly<Record<string, unknown>>, maxTake: number): Readonly<Record<string, unknown>> {
  const isCut = args['take'] === undefined && args['distinct'] === undefined;
  return isCut ? { ...args, ...upTo(maxTake) } : args;
}
