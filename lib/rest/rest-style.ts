import { ApiError } from '../errors/api-error.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Action } from '../model/surface/surface.js';
import { type ResourceOperation, touching } from '../platform/resource-operation.js';
import { type EndpointRequest, OneOperation, type Reading, type Style, type StyleContext } from '../platform/style.js';
import { touchesOf } from '../query/touches.js';
import { memoizeByObject, once } from '../utils/memoize-by-object.js';
import { requestQueries, operationQueries } from './request-queries.js';
import { ATOMIC_MEDIA_TYPE, JSON_API_MEDIA_TYPE } from './protocol/media-type.js';
import { atOperation, OPERATIONS_POINTER } from './parse/operations/at-operation.js';
import { type RequestedOperation, countOperations, readOperations } from './parse/operations/read-operations.js';
import { readDocument } from './parse/read-document.js';
import type { PlanContext } from './plan/plan-context.js';
import { createRestContext } from './plan/rest-contexts.js';
import { renderErrors } from './render/render-errors.js';
import {
  endpointKind,
  type NamedAction,
  namedAction,
  OPERATIONS_ENDPOINT,
  REST_ENDPOINTS,
  restOperation,
} from './protocol/rest-endpoints.js';
import type { RestSettings } from '../options/rest-settings.js';
import { RestService } from './rest.service.js';

/**
 * Returns the REST style (JSON:API 1.1) for the platform.
 *
 * @param operationsPath the path of atomic operations below the prefix; undefined if they are disabled
 */
export function restStyle(operationsPath: string | undefined): Style {
  if (operationsPath === undefined) return REST_STYLE;
  const operations = { name: OPERATIONS_ENDPOINT.name, path: operationsPath, guarded: 'operation', mediaType: ATOMIC_MEDIA_TYPE } as const;
  return {
    ...REST_STYLE,
    endpoints: [operations, ...REST_STYLE.endpoints],
    names: (segment, model) => segment === operationsPath.toLowerCase() || REST_STYLE.names(segment, model),
  };
}

const REST_STYLE: Style = {
  name: 'rest',
  mediaType: JSON_API_MEDIA_TYPE,
  // CN-13. Responses also depend on the caller, thus on `Authorization` and `Cookie`.
  vary: 'Accept, Authorization, Cookie',
  endpoints: Object.entries(REST_ENDPOINTS).map(([name, { path }]) => ({ name, path, guarded: 'request' })),
  pathHint: 'Paths begin with a resource type, e.g. /post or /post/1/author.',
  words: new Set(),
  names: (segment, model) => model.byType.has(segment),
  read: (endpointRequest, context) => {
    if (endpointRequest.endpoint.name === OPERATIONS_ENDPOINT.name) return readBatch(endpointRequest, context);
    return new OneOperation(() => singleOf(endpointRequest, context));
  },
  renderError: (error, { strict, id }) => ({ status: error.status, headers: error.headers, body: renderErrors(error, strict, id) }),
  atOperation,
  service: RestService,
};

function singleOf({ endpoint, params, request }: EndpointRequest, context: StyleContext): ResourceOperation {
  const { model } = context;
  const { type = '', relationship } = params;
  const kind = endpointKind(endpoint.name);
  const own = request.method === 'POST' ? namedAction(kind, params, model) : undefined;
  if (own) return ownOperation(own);
  const found = restOperation(kind, request.method);
  const operation: Operation = {
    style: 'rest',
    model: model.byType.get(type.toLowerCase())?.model,
    operation: found?.operation,
    action: found?.action,
    actions: resolveActions(found, () => request.json()),
    ...(relationship !== undefined && { relationship }),
  };
  return touching(operation, () => {
    return found && touchesOf(requestQueries(found.operation, [{ ...params, type }, request, outlineOf(context)]));
  });
}

function ownOperation({ resource, action: { name, right } }: NamedAction): ResourceOperation {
  const { model } = resource;
  return touching({ style: 'rest', model, operation: name, action: name, actions: [right] }, () => [{ model, action: right, fields: [] }]);
}

type Operation = Omit<ResourceOperation, 'touches'>;

/** Returns the context in which requests are parsed for guards. It is cached, and compiles only projections that are needed. */
const outlineOf: (context: StyleContext) => PlanContext = memoizeByObject(({ model, settings, limits }) => {
  // `as`: the platform types the settings of a style as an object.
  return { ...createRestContext(model, settings as RestSettings, limits), isOutline: true };
});

/** Returns the actions of a request, for guards. A create whose document is an upsert may also update. */
function resolveActions(found: ReturnType<typeof restOperation>, body: () => unknown): readonly Action[] {
  if (found === undefined) return [];
  return found.operation === 'createResource' && isUpsert(body) ? [found.action, 'update'] : [found.action];
}

/** Whether a document is an upsert. A malformed document is not, because it is rejected after the guards. */
function isUpsert(body: () => unknown): boolean {
  try {
    return readDocument(body()).meta['operation'] === 'upsert';
  } catch {
    return false;
  }
}

/** Reads the operations of a request, for guards. If there are too many operations, none is parsed. */
function readBatch({ request }: EndpointRequest, context: StyleContext): Reading {
  const { operations, ...others } = outlineOf(context).settings;
  const json = (): unknown => request.json();
  const refusal = refuseNumber(countOperations(json), operations?.maxOperations ?? 0);
  if (refusal) return { operation: touching({ ...BATCH, batch: [] }, () => undefined), refusal };
  const parsed = readOperations(json, others);
  const queries = once(() => operationQueries(parsed, request.search, outlineOf(context)));
  const batch = parsed.entries.map((entry, index) => touching(operationOf(entry, context.model), () => touchesOf(queries()[index] ?? [])));
  return { operation: touching({ ...BATCH, batch }, () => touchesOf(queries().flat())), parsed };
}

function refuseNumber(count: number, maxOperations: number): ApiError | undefined {
  if (count <= maxOperations) return undefined;
  const detail = `The request has ${count} operations; rest.operations.maxOperations allows ${maxOperations}.`;
  return new ApiError('limit-exceeded', detail, { source: { pointer: OPERATIONS_POINTER } });
}

const BATCH = {
  style: 'rest',
  model: undefined,
  operation: OPERATIONS_ENDPOINT.operation,
  action: undefined,
  actions: [],
} as const;

/** Returns one operation, for guards. A malformed entry has no model and no operation, and is rejected after the guards. */
function operationOf(entry: RequestedOperation | ApiError, model: ResourceModel): Operation {
  if (entry instanceof ApiError) return { ...BATCH, operation: undefined };
  const { operation: found, params, document } = entry;
  return {
    style: 'rest',
    model: model.byType.get(params.type.toLowerCase())?.model,
    operation: found.operation,
    action: found.action,
    actions: resolveActions(found, () => document),
    ...(params.relationship !== undefined && { relationship: params.relationship }),
  };
}
