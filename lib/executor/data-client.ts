/**
 * The data client of the application: Prisma's model delegates, and its transactions.
 *
 * The type is structural. It accepts a `PrismaClient`, also with `$extends`, a ZenStack ORM client, and a test's fake, e.g. `{ post: { findMany:
 * async () => [] } }`. A fake needs only the delegates that the test calls.
 */
export type DataClient = object;
