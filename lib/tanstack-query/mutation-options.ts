import type { LazyCall } from '../client/rpc-client.js';
import { type CallSpec, isOwnAction } from '../client/call-spec.js';
import { invalidateAll, type InvalidatedClient, invalidateModels } from './invalidate-models.js';
import { modelsOf, type RelationSchema, withCascades } from './related-models.js';
import { specOf } from './query-key.js';

/** What `useMutation` and its like take. */
export interface RpcMutationOptions<Variables, Result> {
  readonly mutationFn: (variables: Variables) => Promise<Result>;
}

/** Which queries are out of date after a mutation. */
export interface InvalidationOptions {
  readonly queryClient: InvalidatedClient;
  /**
   * The generated `browserSchema`, which names what the API shows alone: with it only those queries are invalidated that reach a model which the mutation may have changed.
   * After an action of the server's own all are, since nobody knows here what it has changed.
   * @default all queries of this package are
   */
  readonly schema?: RelationSchema;
}

/**
 * A mutation that makes a call from its variables. With a `queryClient` it is done once the queries that it made out of date have been
 * fetched again: those of the models that it writes, nested writes and what the database deletes along with them included.
 *
 * @param make gives the call, unsent
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

/** At its top, or by nested writes. */
function deletes({ operation, args }: CallSpec): boolean {
  return operation.startsWith('delete') || holdsKey(args, DELETIONS);
}

const DELETIONS: ReadonlySet<string> = new Set(['delete', 'deleteMany']);

function holdsKey(value: unknown, keys: ReadonlySet<string>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, member]) => keys.has(key) || holdsKey(member, keys));
}
