import type { LazyCall } from '../client/rpc-client.js';
import { type CallSpec, isOwnAction } from '../client/call-spec.js';
import { invalidateAll, type InvalidatedClient, invalidateModels } from './invalidate-models.js';
import { modelsOf, type RelationSchema, withCascades } from './related-models.js';
import { specOf } from './query-key.js';

/** The options of `useMutation` and its equivalents. */
export interface RpcMutationOptions<Variables, Result> {
  readonly mutationFn: (variables: Variables) => Promise<Result>;
}

/** The queries that a mutation invalidates. */
export interface InvalidationOptions {
  readonly queryClient: InvalidatedClient;
  /**
   * The generated `browserSchema`, which names only what the API exposes. With it, a mutation invalidates only queries of models that it may have
   * changed. After an action of the application all queries are invalidated, because the client cannot determine what it has changed.
   * @default all queries of this package are
   */
  readonly schema?: RelationSchema;
}

/**
 * Returns the options of a mutation that makes a call from its variables. With a `queryClient`, the mutation ends after the invalidated queries have
 * been fetched again. These are the queries of all models that it writes, nested writes and cascading deletes included.
 *
 * @param make returns the call, unsent
 * @example
 * const create = useMutation(mutationOptions((title: string) => api.post.create({ data: { title, authorId: 1 } }), { queryClient }));
 * create.mutate('Hello');
 */
export function mutationOptions<Variables, Call extends LazyCall>(
  make: (variables: Variables) => Call,
  invalidation?: InvalidationOptions,
): RpcMutationOptions<Variables, Awaited<Call>> {
  return {
    mutationFn: async (variables): Promise<Awaited<Call>> => {
      const call = make(variables);
      const spec = specOf(call);
      const result: Awaited<Call> = await call;
      if (invalidation) await invalidate(spec, invalidation);
      return result;
    },
  };
}

async function invalidate(spec: CallSpec, { queryClient, schema }: InvalidationOptions): Promise<void> {
  if (!schema || isOwnAction(spec)) return invalidateAll(queryClient);
  const models = modelsOf(spec, schema);
  return invalidateModels(queryClient, deletes(spec) ? withCascades(models, schema) : models, schema);
}

/** Whether a call deletes records, by its operation or by nested writes. */
function deletes({ operation, args }: CallSpec): boolean {
  return operation.startsWith('delete') || holdsKey(args, DELETIONS);
}

const DELETIONS: ReadonlySet<string> = new Set(['delete', 'deleteMany']);

function holdsKey(value: unknown, keys: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => keys.has(key) || holdsKey(member, keys));
}
