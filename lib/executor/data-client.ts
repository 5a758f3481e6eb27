/**
 * What we need of the host's data client: Prisma's model delegates, and its transactions.
 *
 * Structural on purpose: a `PrismaClient`, one extended with `$extends`, a ZenStack ORM client, or a test's fake
 * `{ post: { findMany: async () => [] } }` all fit. A fake needs only the delegates that the test calls.
 */
export type DataClient = object;
