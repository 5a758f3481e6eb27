/** A row of a model with all of its fields, as a Prisma client types it. */
export type RowOf<Client, Model extends string> =
  Uncapitalize<Model> extends keyof Client
    ? Client[Uncapitalize<Model>] extends { findFirstOrThrow(...args: never): PromiseLike<infer Row> }
      ? Row
      : never
    : never;
