import type { Resource } from '../../model/surface/surface.js';
import { API_DESCRIPTION_SCHEMA } from '../../rpc/description/describe-api.js';
import { RPC_DESCRIPTION } from '../../rpc/protocol/rpc-operations.js';
import type { RpcSettings } from '../../options/rpc-settings.js';
import { SHARED } from '../components.js';
import { errorResponses } from '../error-responses.js';
import { objectOf } from '../json-schema.js';
import type { StyleDocument } from '../idempotency-key.js';
import type { PathItem } from '../open-api.js';
import type { OperationIds } from '../operation-ids.js';

/** Builds the path items of the description by path: of all models, and of each. */
export function* describePaths(
  resources: readonly Resource[],
  { style, components, errors }: StyleDocument<RpcSettings>,
  operationIds: OperationIds,
): Generator<readonly [string, PathItem]> {
  if (!style.settings.describe) return;
  const schema = components.schema('ApiDescriptionResult', SHARED, () => objectOf({ data: API_DESCRIPTION_SCHEMA }, ['data']));
  const success = components.responseOf(schema, SHARED, () => ({
    description: 'Models with their fields, relations and rights.',
    content: { 'application/json': { schema } },
  }));
  const path = `${style.path}/${RPC_DESCRIPTION.name}`;
  const item = (id: string, summary: string, tag: string): PathItem => ({
    get: {
      operationId: operationIds.reserve(id),
      summary,
      tags: [`${tag} (RPC)`],
      responses: { 200: success, ...errorResponses([400], errors, components) },
    },
  });
  yield [path, item('describe', 'What the caller can see and do', RPC_DESCRIPTION.name)];
  for (const { delegate, model } of resources)
    yield [`${path}/${delegate}`, item(`${delegate}Describe`, `What the caller can see and do with ${model}`, model)];
}
