import type { Query } from '../query/query.js';

/** Thrown where SQL does not execute a plan or a query of it, with the reason: Prisma then executes the plan. */
export class Declined extends Error {
  override readonly name = 'Declined';

  /** @param queries those to report as declined; by default the main query of the plan */
  constructor(
    reason: string,
    readonly queries?: readonly Query[],
  ) {
    super(reason);
  }
}

/** @throws Declined always */
export function decline(reason: string): never {
  throw new Declined(reason);
}
