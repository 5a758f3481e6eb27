import { reachesRows } from '../../model/surface/reaches-rows.js';
import type { Resource, Surface } from '../../model/surface/surface.js';
import { RPC_OPERATIONS, type RpcOperation, type RpcOperationName } from '../protocol/rpc-operations.js';

/** An entry of the table of operations, without the literal types of its members. */
export type NamedOperation = RpcOperation & { readonly name: RpcOperationName };

/** Returns the exposed operations of a resource that its database supports. At least one of an operation's actions must reach rows. */
export function exposedOperations(resource: Resource, surface: Surface): readonly NamedOperation[] {
  const { actions, database } = resource;
  return Object.values<NamedOperation>(RPC_OPERATIONS)
    .filter((operation) => operation.actions.every((action) => actions.has(action)) && !operation.lackedBy?.includes(database.provider))
    .filter((operation) => operation.actions.some((action) => reachesRows(surface, resource, action)));
}
