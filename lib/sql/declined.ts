/** Why a read is left to Prisma. Thrown inside this room only; it never reaches a request. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** @throws Declined always */
export function decline(reason: string): never {
  throw new Declined(reason);
}
