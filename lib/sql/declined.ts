import type { Query } from '../query/query.js';

/** Thrown, with the reason, if SQL does not support a plan or one of its queries. Prisma then executes the plan. */
export class Declined extends Error {
  override readonly name = 'Declined';

  /** @param queries the queries to report as declined; by default the main query of the plan */
  constructor(
    reason: string,
    readonly queries?: readonly Query[],
  ) {
    super(reason);
  }
}

/**
 * Throws {@link Declined} with a reason.
 *
 * @throws Declined always
 */
export function decline(reason: string): never {
  throw new Declined(reason);
}
