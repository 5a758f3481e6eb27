import { type OperationIds, pascalCase } from '../operation-ids.js';
import { changesAsAsked } from '../../rest/parse/write-intent.js';
import { COLLECTION_FAMILIES, DOCUMENT_FAMILIES } from '../../rest/parse/query-families.js';
import { JSON_API_MEDIA_TYPE } from '../../rest/protocol/media-type.js';
import {
  OPERATIONS_ENDPOINT,
  REST_ENDPOINTS,
  type RestEndpointKind,
  type RestOperation,
  type RestOperationName,
} from '../../rest/protocol/rest-endpoints.js';
import type { RestSettings } from '../../options/rest-settings.js';
import { ownActionsOf } from '../../model/surface/own-actions-of.js';
import { reachesRows } from '../../model/surface/reaches-rows.js';
import type { OwnAction, Relationship, Resource } from '../../model/surface/surface.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import type { Components } from '../components.js';
import type { DocumentedApi, DescribedStyle } from '../described-api.js';
import { errorResponses, responsesOf } from '../error-responses.js';
import type { Operation, Parameter, PathItem, Reference, Response } from '../open-api.js';
import { type StyleDocument, withIdempotencyKey } from '../idempotency-key.js';
import { asAsked, EXPORTS, RestSchemas } from './rest-schemas.js';
import { conditionalErrors, idParameter, ifMatch, RestParameters } from './rest-parameters.js';
import { restAction } from './rest-action.js';
import { RestBodies } from './rest-bodies.js';
import { ON_RELATIONSHIPS, operationsPath, requireRelationship } from './rest-operations.js';
import { restErrors, validationErrors } from './rest-errors.js';

/** The resource of an operation, and the relationship if its path has one. */
interface Described {
  readonly resource: Resource;
  /** The relationship in the path. */
  readonly relationship?: Relationship;
}

/** Families of query parameters of the linkage of a to-many relationship. */
const LINKAGE_FAMILIES = COLLECTION_FAMILIES.filter((family) => !family.startsWith('include'));
/** Families of query parameters of the document that answers a write. */
const ANSWER_FAMILIES = ['include', 'fields'] as const;

/** The parts that differ between operations. */
interface OperationParts {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly body?: Reference;
  readonly status: number;
  readonly success: Response | Reference;
  /** Other successful responses by status. */
  readonly others?: Readonly<Record<string, Response | Reference>>;
  readonly errors: readonly number[];
}

/** Builds the paths of the REST style from its table of endpoints: a path for every exposed type and relationship. */
export class RestPaths {
  readonly #schemas: RestSchemas;
  readonly #bodies: RestBodies;
  readonly #parameters: RestParameters;
  readonly #document: StyleDocument<RestSettings>;
  readonly #settings: RestSettings;

  constructor(
    private readonly api: DocumentedApi,
    private readonly style: DescribedStyle<RestSettings>,
    private readonly components: Components,
    private readonly operationIds: OperationIds,
  ) {
    this.#settings = style.settings;
    this.#schemas = new RestSchemas(components, style);
    this.#bodies = new RestBodies(this.#schemas, api, style);
    this.#parameters = new RestParameters(components, api, style);
    this.#document = { style, components, errors: restErrors(style.settings, components) };
  }

  /** Builds the path items by path. */
  *all(): Generator<readonly [string, PathItem]> {
    for (const resource of this.style.surface.resources) yield* this.#pathsOf(resource);
    yield* this.#operationsPath();
  }

  *#pathsOf(resource: Resource): Generator<readonly [string, PathItem]> {
    yield* this.#path('collection', { resource });
    yield* this.#path('resource', { resource });
    for (const relationship of resource.relationships) {
      yield* this.#path('related', { resource, relationship });
      yield* this.#path('relationship', { resource, relationship });
    }
    for (const action of ownActionsOf(resource, this.style.surface)) yield this.#ownPath(resource, action);
  }

  #operationsPath(): readonly (readonly [string, PathItem])[] {
    const { operations } = this.#settings;
    const [resource] = this.style.surface.resources;
    if (!operations || !resource) return [];
    const item = operationsPath(operations, this.#document, this.#schemas, {
      parameters: this.#parameters.families(['fields'], resource),
      operationId: this.operationIds.reserve(OPERATIONS_ENDPOINT.operation),
    });
    return [[`${this.style.path}/${operations.path}`, item]];
  }

  /** Returns the path of an endpoint, unless it has no operation. */
  #path(kind: RestEndpointKind, described: Described): readonly (readonly [string, PathItem])[] {
    const { resource, relationship } = described;
    const { path, methods } = REST_ENDPOINTS[kind];
    const concrete = path
      .replace(':type', resource.type)
      .replace(':id', '{id}')
      .replace(':relationship', relationship?.member ?? '');
    const operations = Object.entries<RestOperation>(methods).flatMap(([method, { operation, action }]) => {
      // OpenAPI 3.1 does not support the method QUERY.
      if (method === 'QUERY') return [];
      if (!reachesRows(this.style.surface, resource, action) || !this.#isOffered(operation, described)) return [];
      const made = this.#operation(operation, { ...described, isAlias: method === 'PUT' });
      return [[method.toLowerCase(), withIdempotencyKey(made, { model: resource.model, actions: [action] }, this.#document)] as const];
    });
    if (operations.length === 0) return [];
    const parameters = path.includes(':id') ? { parameters: [this.#idParameter(resource)] } : {};
    return [[`${this.style.path}/${concrete}`, { ...parameters, ...Object.fromEntries(operations) }]];
  }

  #ownPath(resource: Resource, action: OwnAction): readonly [string, PathItem] {
    const post = restAction(action, {
      resource,
      shape: this.api.actionShapeOf(resource.model, action),
      document: this.#schemas.document(resource),
      parameters: this.#answerParameters(resource),
      components: this.components,
      strict: this.#settings.strict,
      errors: (statuses) => this.#errors(statuses),
    });
    const operation = { operationId: this.operationIds.reserve(`${action.name}${resource.model}`), ...post };
    const item = { post: withIdempotencyKey(operation, { model: resource.model, actions: [action.name] }, this.#document) };
    if (action.on === 'collection') return [`${this.style.path}/${resource.type}/${action.name}`, item];
    return [`${this.style.path}/${resource.type}/{id}/${action.name}`, { parameters: [this.#idParameter(resource)], ...item }];
  }

  /** Whether an endpoint exists for a relationship. Related resources cannot be fetched if no row of the target is readable. */
  #isOffered(operation: RestOperationName, { relationship }: Described): boolean {
    const isOffered = ON_RELATIONSHIPS[operation];
    if (relationship === undefined || isOffered === undefined) return true;
    const isBlind = operation === 'fetchRelated' && !reachesRows(this.style.surface, relationship.target, 'read');
    return !isBlind && isOffered(relationship, this.#settings);
  }

  /**
   * Builds an operation.
   *
   * @param isAlias whether it is PUT, an alias of PATCH
   */
  #operation(name: RestOperationName, { isAlias, ...described }: Described & { readonly isAlias: boolean }): Operation {
    const { id, summary, description, parameters, body, status, success, others, errors } = this.#operations[name](described);
    return {
      operationId: this.operationIds.reserve(isAlias ? `${id}ByPut` : id),
      summary: isAlias ? 'The same as PATCH' : summary,
      ...(description !== undefined && { description }),
      tags: [described.resource.model],
      ...(parameters && parameters.length > 0 && { parameters }),
      ...(body && { requestBody: body }),
      responses: responsesOf(status, success, this.#errors(isAlias ? [400] : errors), others),
    };
  }

  #errors(statuses: readonly number[]): Readonly<Record<string, Reference>> {
    return errorResponses(statuses, this.#document.errors, this.components);
  }

  readonly #operations: Readonly<Record<RestOperationName, (described: Described) => OperationParts>> = {
    fetchCollection: ({ resource }) => ({
      id: `fetch${resource.model}Collection`,
      summary: `List ${resource.type} resources`,
      parameters: this.#parameters.families(COLLECTION_FAMILIES, resource),
      ...this.#collection(resource),
      errors: [400],
    }),
    fetchResource: ({ resource }) => ({
      id: `fetch${resource.model}`,
      summary: `Fetch one ${resource.type}`,
      parameters: this.#parameters.families(DOCUMENT_FAMILIES, resource),
      ...this.#answer(this.#schemas.document(resource), `The ${resource.type}.`),
      errors: [400, 404],
    }),
    createResource: ({ resource }) => ({
      id: `create${resource.model}`,
      summary: `Create ${resource.type}`,
      parameters: this.#answerParameters(resource),
      body: this.#bodies.document(resource, 'create'),
      ...this.#created(resource),
      errors: [400, 403, 404, 409, ...validationErrors(resource)],
    }),
    updateResource: ({ resource }) => ({
      id: `update${resource.model}`,
      summary: `Update ${resource.type}`,
      parameters: [...this.#answerParameters(resource), ...ifMatch(resource, this.components)],
      body: this.#bodies.document(resource, 'update'),
      ...this.#answer(this.#schemas.document(resource), `The ${resource.type}.`),
      ...(changesAsAsked(resource) && { others: asAsked(this.components) }),
      errors: [400, 403, 404, 409, ...conditionalErrors(resource), ...validationErrors(resource)],
    }),
    deleteResource: ({ resource }) => ({
      id: `delete${resource.model}`,
      summary: `Delete ${resource.type}`,
      status: 204,
      success: { description: `The ${resource.type} is gone.` },
      parameters: ifMatch(resource, this.components),
      errors: [400, 403, 404, 409, ...conditionalErrors(resource)],
    }),
    fetchRelated: (described) => this.#fetchRelated(described),
    fetchRelationship: (described) => this.#fetchRelationship(described),
    addToRelationship: (described) => this.#changeLinkage(described, ['addTo', 'Add members to']),
    replaceRelationship: (described) => this.#changeLinkage(described, ['replace', 'Replace']),
    removeFromRelationship: (described) => this.#changeLinkage(described, ['removeFrom', 'Remove members from']),
    replaceRelated: (described) => {
      const parts = this.#changeLinkage(described, ['replace', 'Replace']);
      return { ...parts, id: `${parts.id}AtRelated`, summary: `${parts.summary} at the URL of what it leads to` };
    },
  };

  #fetchRelated({ resource, relationship }: Described): OperationParts {
    const { many, target, member } = requireRelationship(relationship);
    return {
      id: `fetch${resource.model}${pascalCase(member)}`,
      summary: `Fetch ${member} of ${resource.type}`,
      parameters: this.#parameters.families(many ? COLLECTION_FAMILIES : DOCUMENT_FAMILIES, target),
      ...(many ? this.#collection(target) : this.#answer(this.#schemas.document(target, true), `The ${target.type}, or null.`)),
      errors: [400, 404],
    };
  }

  #fetchRelationship({ resource, relationship: given }: Described): OperationParts {
    const relationship = requireRelationship(given);
    const { many, target, member } = relationship;
    const families = many ? this.#parameters.families(LINKAGE_FAMILIES, target) : [];
    return {
      id: `fetch${resource.model}${pascalCase(member)}Relationship`,
      summary: `Fetch the linkage of ${member} of ${resource.type}`,
      parameters: [...families, this.#parameters.includeFromRelationship()],
      ...this.#answer(this.#schemas.linkage(relationship), 'Resource linkage.'),
      errors: [400, 404],
    };
  }

  #changeLinkage({ resource, relationship: given }: Described, [verb, words]: readonly [string, string]): OperationParts {
    const relationship = requireRelationship(given);
    const { member } = relationship;
    return {
      id: `${verb}${resource.model}${pascalCase(member)}`,
      summary: `${words} ${member} of ${resource.type}`,
      parameters: ifMatch(resource, this.components),
      errors: [400, 403, 404, ...conditionalErrors(resource)],
      ...this.#linkageParts(relationship),
    };
  }

  /** Returns the body and the success responses of a linkage change. They have no content if the relationship is not readable. */
  readonly #linkageParts = memoizeByObject((relationship: Relationship): Pick<OperationParts, 'body' | 'status' | 'success' | 'others'> => {
    const body = this.#bodies.linkage(relationship);
    if (!relationship.rights.read) return { body, status: 204, success: { description: 'The linkage is changed.' } };
    const answer = this.#answer(this.#schemas.linkage(relationship), 'Resource linkage.');
    return { body, others: asAsked(this.components), ...answer };
  });

  readonly #collection = (resource: Resource): Pick<OperationParts, 'status' | 'success'> =>
    this.#answer(this.#schemas.collection(resource), `A page of ${resource.type} resources.`, this.#settings.export && EXPORTS);

  /** Returns a success response that all operations with the same document share. */
  #answer(schema: Reference, description: string, others?: Response['content']): Pick<OperationParts, 'status' | 'success'> {
    const content = { [JSON_API_MEDIA_TYPE]: { schema }, ...others };
    return { status: 200, success: this.components.responseOf(schema, this.style, () => ({ description, content })) };
  }

  #created(resource: Resource): Pick<OperationParts, 'status' | 'success' | 'others'> {
    const content = { [JSON_API_MEDIA_TYPE]: { schema: this.#schemas.document(resource) } };
    const Location = { description: 'Its URL.', schema: { type: 'string' } } as const;
    return {
      status: 201,
      success: { description: `The ${resource.type} as it was created.`, headers: { Location }, content },
      others: { ...this.#upserted(resource), ...(resource.clientIds !== 'forbidden' && asAsked(this.components)) },
    };
  }

  #upserted(resource: Resource): OperationParts['others'] {
    if (!reachesRows(this.style.surface, resource, 'update')) return {};
    return { 200: this.#answer(this.#schemas.document(resource), `The ${resource.type}.`).success };
  }

  #answerParameters(resource: Resource): readonly Reference[] {
    return resource.actions.has('read') ? this.#parameters.families(ANSWER_FAMILIES, resource) : [];
  }

  #idParameter(resource: Resource): Reference {
    return this.components.commonParameter('Id', idParameter(resource, this.#schemas.id(resource), this.#settings.idDivider));
  }
}
