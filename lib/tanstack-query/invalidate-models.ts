import { type KnownCall, modelName, modelsOf, type RelationSchema } from './related-models.js';

/** The method of a QueryClient that marks queries as stale. */
export interface InvalidatedClient {
  invalidateQueries(filters: { readonly predicate: (query: { readonly queryKey: readonly unknown[] }) => boolean }): Promise<void>;
}

/**
 * Marks the queries of some models as stale: those of the models themselves, and those whose arguments reach them through relations (an `include`, a
 * `where`).
 *
 * @param models as in `api.post`, or by Prisma's name
 * @param schema the generated `browserSchema`, which has the target of each relation
 * @example
 * await invalidateModels(queryClient, ['post', 'comment'], browserSchema);
 */
export async function invalidateModels(client: InvalidatedClient, models: Iterable<string>, schema: RelationSchema): Promise<void> {
  const names = new Set([...models].map((model) => modelName(model, schema)));
  await client.invalidateQueries({
    predicate: ({ queryKey }) => {
      const call = readKey(queryKey);
      return call !== undefined && [...modelsOf(call, schema)].some((model) => names.has(model));
    },
  });
}

/** Marks every query of this package as stale. */
export async function invalidateAll(client: InvalidatedClient): Promise<void> {
  await client.invalidateQueries({ predicate: ({ queryKey }) => readKey(queryKey) !== undefined });
}

/** Returns the call of a query key; undefined for the key of a query that is not of this package. */
function readKey([scope, model, , args, ...relations]: readonly unknown[]): KnownCall | undefined {
  if (scope !== 'resource-api' || typeof model !== 'string') return undefined;
  return { model, args, relations: relations.filter((relation) => typeof relation === 'string') };
}
