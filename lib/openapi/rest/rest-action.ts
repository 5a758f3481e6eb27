import type { OwnAction, Resource } from '../../model/surface/surface.js';
import { JSON_API_MEDIA_TYPE } from '../../rest/protocol/media-type.js';
import { bodySchema } from '../../validation/body-schema.js';
import type { RecordShape } from '../../validation/record-check.js';
import { type JsonSchema, objectOf } from '../json-schema.js';
import type { Operation, Reference, RequestBody } from '../open-api.js';
import type { Components } from '../components.js';
import { conditionalErrors, ifMatch } from './rest-parameters.js';

/** The parts of the operation of an action. */
export interface ActionParts {
  readonly resource: Resource;
  /** The shape of the body; undefined for an action without a body. */
  readonly shape: RecordShape | undefined;
  /** The schema of a document with one record. */
  readonly document: JsonSchema;
  /** The query parameters that select members of the record. */
  readonly parameters: readonly Reference[];
  readonly components: Components;
  readonly strict: boolean;
  readonly errors: (statuses: readonly number[]) => Readonly<Record<string, Reference>>;
}

/** Returns the REST operation of an action of the application. */
export function restAction({ name, on, right, documentation }: OwnAction, parts: ActionParts): Omit<Operation, 'operationId'> {
  const { resource, shape, document, parameters, components, strict, errors } = parts;
  // Only actions that update or delete a record have the header If-Match.
  const isConditional = on === 'record' && (right === 'update' || right === 'delete');
  const all = [...parameters, ...(isConditional ? ifMatch(resource, components) : [])];
  const schema: JsonSchema = { anyOf: [document, objectOf({ jsonapi: { type: 'object' }, meta: { type: 'object' } }, ['meta'])] };
  return {
    summary: on === 'record' ? `${name} of one ${resource.type}` : `${name} of ${resource.type} resources`,
    ...(documentation !== undefined && { description: documentation }),
    tags: [resource.model],
    ...(all.length > 0 && { parameters: all }),
    ...(shape && { requestBody: actionBody(bodySchema(shape), strict) }),
    responses: {
      200: { description: `The ${resource.type}, or what the action answers.`, content: { [JSON_API_MEDIA_TYPE]: { schema } } },
      204: { description: 'It is done.' },
      ...errors([400, 403, 404, 409, ...(isConditional ? conditionalErrors(resource) : []), 422]),
    },
  };
}

/** Returns the body of an action: the members in `meta` of a JSON:API document, or as plain JSON unless `strict`. */
function actionBody(schema: JsonSchema, strict: boolean): RequestBody {
  return {
    required: (schema.required?.length ?? 0) > 0,
    content: {
      [JSON_API_MEDIA_TYPE]: { schema: objectOf({ meta: schema }, ['meta']) },
      ...(!strict && { 'application/json': { schema } }),
    },
  };
}
