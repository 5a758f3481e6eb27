import { ATOMIC_EXTENSION, ATOMIC_MEDIA_TYPE } from '../../rest/media-type.js';
import type { OperationsSettings, RestSettings } from '../../rest/rest-settings.js';
import type { Resource } from '../../model/surface/surface.js';
import { reachesRows } from '../../model/surface/reaches-rows.js';
import { type Components, SHARED } from '../components.js';
import type { DescribedStyle } from '../described-api.js';
import { type ErrorStyle, errorResponses } from '../error-responses.js';
import { arrayOf, type JsonSchema, nullable, objectOf } from '../json-schema.js';
import { withIdempotencyKey } from '../idempotency-key.js';
import type { Operation, PathItem, Reference } from '../open-api.js';
import { serializationSchema } from '../serialization-schema.js';
import { conditionalErrors } from './if-match.js';
import type { RestSchemas } from './rest-schemas.js';

/** What the endpoint of atomic operations is described with. */
export interface OperationsDescription {
  readonly style: DescribedStyle<RestSettings>;
  readonly components: Components;
  readonly schemas: RestSchemas;
  readonly errors: ErrorStyle;
  /** The one parameter that it takes. */
  readonly fields: readonly Reference[];
  readonly operationId: string;
}

/** The tag of the endpoint. */
export const OPERATIONS_TAG = 'Atomic operations';

/** The path of the Atomic Operations extension. What each operation may do, and what its data are, is what the single requests say. */
export function operationsPath({ maxOperations }: OperationsSettings, description: OperationsDescription): PathItem {
  const { style, components, errors } = description;
  const post = operation(maxOperations, description);
  return { post: withIdempotencyKey(post, { actions: WRITES }, { surface: style.surface, components, errors }) };
}

function operation(maxOperations: number, { style, components, schemas, errors, fields, operationId }: OperationsDescription): Operation {
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
    parameters: fields,
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
  const id: JsonSchema = { type: ['integer', 'string'] };
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
  const meta = components.schema('BodyMeta', SHARED, () => objectOf({ serialization: serializationSchema(components) }));
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
