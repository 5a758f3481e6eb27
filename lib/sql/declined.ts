/** Thrown where a read cannot be compiled to SQL, with the reason: Prisma then answers the read. It never leaves this folder. */
export class Declined extends Error {
  override readonly name = 'Declined';
}

/** @throws Declined always */
export function decline(reason: string): never {
  throw new Declined(reason);
}
