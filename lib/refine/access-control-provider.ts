import type { AccessControlProvider, CanReturnType } from '@refinedev/core';
import type { AdminClient } from '../admin-data/admin-client.js';
import { type DescribedModel, DescriptionSource } from '../admin-data/described-api.js';
import { HttpError, toHttpError } from '../admin-data/http-error.js';
import type { FieldRight } from '../rpc/protocol/api-description.js';

/** The operations that an action of refine needs, and the right to a field. */
const REQUIRED_RIGHTS: ReadonlyMap<string, { readonly operations: readonly string[]; readonly right?: FieldRight }> = new Map([
  ['list', { operations: ['findMany'], right: 'read' }],
  ['show', { operations: ['findUnique'], right: 'read' }],
  ['field', { operations: [], right: 'read' }],
  ['create', { operations: ['create'], right: 'create' }],
  ['clone', { operations: ['findUnique', 'create'], right: 'create' }],
  ['edit', { operations: ['update'], right: 'update' }],
  ['delete', { operations: ['delete'] }],
]);

/**
 * Returns an access control provider for refine 5, which decides by what `$describe` says of the caller: operations, the rights to `params.field`, and
 * actions of the application by their names. Rules that are conditions decide row by row on the server, and refuse nothing here.
 *
 * @param client of `createRpcClient`, the same as of the data provider
 * @throws TypeError for any other client
 * @example
 * <Refine accessControlProvider={refineAccessControlProvider(client)} />
 */
export function refineAccessControlProvider(client: AdminClient): AccessControlProvider {
  const source = DescriptionSource.of(client);
  return {
    can: async ({ resource, action, params }) => {
      const name = params?.resource?.name ?? resource;
      // A page without a resource, which the API has no part in.
      if (name === undefined) return { can: true };
      try {
        const field: unknown = params?.['field'];
        return allows(await source.model(name), action, typeof field === 'string' ? field : undefined);
      } catch (error) {
        if (error instanceof HttpError && error.status === 404) return { can: false, reason: error.message };
        throw toHttpError(error);
      }
    },
  };
}

function allows(model: DescribedModel, action: string, field: string | undefined): CanReturnType {
  const { operations, right } = REQUIRED_RIGHTS.get(action) ?? { operations: [action] };
  const calls: readonly string[] = [...model.operations, ...model.actions.map(({ name }) => name)];
  const missing = operations.find((operation) => !calls.includes(operation));
  if (missing !== undefined) return { can: false, reason: `You may not ${action} '${model.model}'.` };
  if (field === undefined || right === undefined) return { can: true };
  const rights = model.fieldOf(field)?.rights ?? model.relationOf(field)?.rights ?? [];
  return rights.includes(right) ? { can: true } : { can: false, reason: `You may not ${right} '${field}' of '${model.model}'.` };
}
