import { ATOMIC_EXTENSION, ATOMIC_MEDIA_TYPE } from '../../rest/protocol/media-type.js';
import type { OperationsSettings, RestSettings } from '../../options/rest-settings.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import { reachesRows } from '../../model/surface/reaches-rows.js';
import { type Components, serializationSchema } from '../components.js';
import { errorResponses } from '../error-responses.js';
import { arrayOf, type JsonSchema, nullable, objectOf } from '../json-schema.js';
import { type StyleDocument, withIdempotencyKey } from '../idempotency-key.js';
import type { Operation, PathItem } from '../open-api.js';
import { WRITTEN_ID } from '../value-schemas.js';
import { conditionalErrors } from './rest-parameters.js';
import type { RestSchemas } from './rest-schemas.js';
import type { RestOperationName } from '../../rest/protocol/rest-endpoints.js';

/** Tag of the Atomic Operations endpoint. */
export const OPERATIONS_TAG = 'Atomic operations';

/** Returns the path item of the Atomic Operations extension. The operations and their data are those of the single requests. */
export function operationsPath(
  { maxOperations }: OperationsSettings,
  context: StyleDocument<RestSettings>,
  schemas: RestSchemas,
  described: Pick<Operation, 'operationId' | 'parameters'>,
): PathItem {
  return { post: withIdempotencyKey(operation(maxOperations, context, schemas, described), { actions: WRITES }, context) };
}

function operation(
  maxOperations: number,
  { style, components, errors }: StyleDocument<RestSettings>,
  schemas: RestSchemas,
  { operationId, parameters = [] }: Pick<Operation, 'operationId' | 'parameters'>,
): Operation {
  const { resources } = style.surface;
  const written = resources.filter((resource) => WRITES.some((action) => reachesRows(style.surface, resource, action)));
  const request = components.schema('AtomicOperations', style.surface, () => requestSchema(written, maxOperations, components));
  const conditional = [...new Set(written.flatMap(conditionalErrors))];
  const answer = components.schema('AtomicResults', style.surface, () => answerSchema(written, schemas));
  return {
    operationId,
    summary: 'Several writes, all of them or none',
    description:
      'The Atomic Operations extension of JSON:API. The data of an operation are those of the single request that does the same.',
    tags: [OPERATIONS_TAG],
    parameters,
    requestBody: {
      required: true,
      content: {
        [ATOMIC_MEDIA_TYPE]: { schema: request, examples: { operations: { value: exampleOf(written) } } },
        ...(!style.settings.strict && { 'application/json': { schema: request } }),
      },
    },
    responses: {
      200: { description: 'One result for each operation, in order.', content: { [ATOMIC_MEDIA_TYPE]: { schema: answer } } },
      204: { description: 'All operations are done, and none has anything to show.' },
      ...errorResponses([400, 403, 404, 409, ...conditional, 422], errors, components),
    },
  };
}

const WRITES = ['create', 'update', 'delete'] as const;

const IF_MATCH: JsonSchema = {
  type: 'string',
  description: 'The `meta.etag` of the resource: it is changed only as long as it has that version.',
};

function requestSchema(resources: readonly Resource[], maxOperations: number, components: Components): JsonSchema {
  const type: JsonSchema = { type: 'string', enum: resources.map((resource) => resource.type) };
  const id = WRITTEN_ID;
  const lid: JsonSchema = { type: 'string', description: 'Names a resource that an operation before creates.' };
  const ref = { ...objectOf({ type, id, lid, relationship: { type: 'string' } }, ['type']), description: 'What the operation is about.' };
  const resource = objectOf({ type, id, lid, attributes: { type: 'object' }, relationships: { type: 'object' } }, ['type']);
  const data = { anyOf: [nullable(resource), arrayOf(objectOf({ type, id, lid }, ['type']))] };
  const operationMeta: JsonSchema = resources.some(({ version }) => version) ? objectOf({ ifMatch: IF_MATCH }) : { type: 'object' };
  const properties = {
    op: { type: 'string', enum: ['add', 'update', 'remove'] },
    ref,
    href: { type: 'string', description: 'The URL of what the operation is about, in place of ref.' },
    data: { ...data, description: 'A resource object, or resource linkage.' },
    meta: operationMeta,
  } as const;
  const operations = {
    ...arrayOf(objectOf(properties, ['op'])),
    minItems: 1,
    ...(Number.isFinite(maxOperations) && { maxItems: maxOperations }),
  };
  const meta = components.shared('BodyMeta', { serialization: serializationSchema(components) });
  return objectOf({ 'atomic:operations': operations, meta }, ['atomic:operations']);
}

function answerSchema(resources: readonly Resource[], schemas: RestSchemas): JsonSchema {
  const shown = resources.map((resource) => schemas.resource(resource));
  const result = objectOf(shown.length === 0 ? {} : { data: { anyOf: shown } });
  const jsonapi = objectOf({ version: { const: '1.1' }, ext: arrayOf({ const: ATOMIC_EXTENSION }) }, ['version', 'ext']);
  const meta = objectOf({ serialization: serializationSchema(schemas.components) });
  return objectOf({ jsonapi, 'atomic:results': arrayOf(result), meta }, ['jsonapi', 'atomic:results']);
}

function exampleOf(resources: readonly Resource[]): unknown {
  const type = resources.find(({ actions }) => actions.has('delete'))?.type ?? resources[0]?.type ?? '';
  return { 'atomic:operations': [{ op: 'remove', ref: { type, id: '1' } }] };
}

type Offer = (relationship: Relationship, settings: RestSettings) => boolean;
const isReadable: Offer = ({ rights }) => rights.read;
const isWritable: Offer = (relationship) => relationship.rights.update && relationship.linkable.update;
const hasMembers: Offer = (relationship, settings) => relationship.many && isWritable(relationship, settings);

/** Conditions of the endpoints that only some relationships have. */
export const ON_RELATIONSHIPS: Readonly<Partial<Record<RestOperationName, Offer>>> = {
  fetchRelated: isReadable,
  fetchRelationship: isReadable,
  addToRelationship: hasMembers,
  removeFromRelationship: hasMembers,
  replaceRelationship: isWritable,
  replaceRelated: (relationship, settings) => !relationship.many && !settings.strict && isWritable(relationship, settings),
};

/**
 * Returns the relationship in the path of an endpoint.
 *
 * @throws TypeError if the path of the endpoint has no relationship
 */
export function requireRelationship(relationship: Relationship | undefined): Relationship {
  if (!relationship) throw new TypeError('This endpoint has a relationship in its path.');
  return relationship;
}
