/**
 * The data client of the application: Prisma's model delegates, and its transactions.
 *
 * The type is structural. It accepts a `PrismaClient`, also with `$extends`, a ZenStack ORM client, and a test's fake, e.g. `{ post: { findMany:
 * async () => [] } }`. A fake needs only the delegates that the test calls.
 */
export type DataClient = object;

/** A row of a model with all of its fields, as a Prisma client types it. */
export type RowOf<Client, Model extends string> =
  Uncapitalize<Model> extends keyof Client
    ? Client[Uncapitalize<Model>] extends { findFirstOrThrow(...args: never): PromiseLike<infer Row> }
      ? Row
      : never
    : never;
