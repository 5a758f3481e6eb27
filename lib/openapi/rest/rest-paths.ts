import { pascalCase } from '../pascal-case.js';
import { COLLECTION_FAMILIES, DOCUMENT_FAMILIES } from '../../rest/parse/query-families.js';
import { JSON_API_MEDIA_TYPE } from '../../rest/media-type.js';
import { REST_ENDPOINTS, type RestEndpointKind, type RestOperation, type RestOperationName } from '../../rest/rest-endpoints.js';
import type { RestSettings } from '../../rest/rest-settings.js';
import type { Relationship, Resource } from '../../model/surface/surface.js';
import type { Components } from '../components.js';
import type { DescribedApi, DescribedStyle } from '../described-api.js';
import { type ErrorStyle, errorResponses } from '../error-responses.js';
import { exampleId } from '../examples.js';
import type { HttpMethod, Operation, Parameter, PathItem, Reference, Response } from '../open-api.js';
import type { OperationIds } from '../operation-ids.js';
import { RestBodies } from './rest-bodies.js';
import { restErrors } from './rest-errors.js';
import { RestParameters } from './rest-parameters.js';
import { RestSchemas } from './rest-schemas.js';

/** What an operation is about. */
interface Described {
  readonly resource: Resource;
  /** Of the relationship in the path. */
  readonly relationship?: Relationship;
}

/** What differs from operation to operation. */
interface OperationParts {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly body?: Reference;
  readonly status: number;
  readonly success: Response | Reference;
  /** By its status, where there is another way to succeed. */
  readonly others?: Readonly<Record<string, Response | Reference>>;
  readonly errors: readonly number[];
}

/** The paths of the REST style, from its table of endpoints: a concrete path for every type and relationship that is exposed. */
export class RestPaths {
  readonly #schemas: RestSchemas;
  readonly #bodies: RestBodies;
  readonly #parameters: RestParameters;
  readonly #errors: ErrorStyle;
  readonly #settings: RestSettings;

  // eslint-disable-next-line max-params -- Each is a part of the document under construction.
  constructor(
    api: DescribedApi,
    private readonly style: DescribedStyle<RestSettings>,
    private readonly components: Components,
    private readonly operationIds: OperationIds,
  ) {
    this.#settings = style.settings;
    this.#schemas = new RestSchemas(components, style);
    this.#bodies = new RestBodies(this.#schemas, api, style);
    this.#parameters = new RestParameters(components, api, style);
    this.#errors = restErrors(style.settings, components);
  }

  all(): Readonly<Record<string, PathItem>> {
    const paths = this.style.surface.resources.flatMap((resource) => [
      this.#path('collection', { resource }),
      this.#path('resource', { resource }),
      ...resource.relationships.flatMap((relationship) => [
        this.#path('related', { resource, relationship }),
        this.#path('relationship', { resource, relationship }),
      ]),
    ]);
    return Object.fromEntries(paths.filter(([, item]) => Object.keys(item).length > 0));
  }

  #path(kind: RestEndpointKind, described: Described): readonly [string, PathItem] {
    const { resource, relationship } = described;
    const { path, methods } = REST_ENDPOINTS[kind];
    const concrete = path
      .replace(':type', resource.type)
      .replace(':id', '{id}')
      .replace(':relationship', relationship?.member ?? '');
    const operations = Object.entries<RestOperation>(methods).flatMap(([method, { operation, action }]) => {
      if (!resource.actions.has(action) || !this.#isOffered(operation, described)) return [];
      return [[method.toLowerCase(), this.#operation(operation, { ...described, method: method.toLowerCase() as HttpMethod })] as const];
    });
    const parameters = path.includes(':id') && operations.length > 0 ? { parameters: [this.#idParameter(resource)] } : {};
    return [`${this.style.path}/${concrete}`, { ...parameters, ...Object.fromEntries(operations) }];
  }

  /** Whether a relationship has an endpoint of the table. */
  #isOffered(operation: RestOperationName, { relationship }: Described): boolean {
    const isOffered = ON_RELATIONSHIPS[operation];
    return relationship === undefined || isOffered === undefined || isOffered(relationship, this.#settings);
  }

  #operation(name: RestOperationName, { method, ...described }: Described & { readonly method: HttpMethod }): Operation {
    const { id, summary, description, parameters, body, status, success, others, errors } = this.#operations[name](described);
    const isAlias = method === 'put';
    return {
      operationId: this.operationIds.reserve(isAlias ? `${id}ByPut` : id),
      summary: isAlias ? `${summary} (the same as PATCH)` : summary,
      ...(description !== undefined && { description }),
      tags: [described.resource.model],
      ...(parameters && parameters.length > 0 && { parameters }),
      ...(body && { requestBody: body }),
      responses: { ...others, [status]: success, ...errorResponses(isAlias ? [400] : errors, this.#errors, this.components) },
    };
  }

  readonly #operations: Readonly<Record<RestOperationName, (described: Described) => OperationParts>> = {
    fetchCollection: ({ resource }) => ({
      id: `fetch${resource.model}Collection`,
      summary: `List ${resource.type} resources`,
      parameters: this.#parameters.families(COLLECTION_FAMILIES, resource),
      ...this.#answer(this.#schemas.collection(resource), `A page of ${resource.type} resources.`),
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
      summary: `Create a ${resource.type}`,
      parameters: this.#answerParameters(resource),
      body: this.#bodies.document(resource, 'create'),
      ...this.#created(resource),
      errors: [400, 403, 404, 409, ...this.#validation(resource)],
    }),
    updateResource: ({ resource }) => ({
      id: `update${resource.model}`,
      summary: `Update a ${resource.type}`,
      parameters: this.#answerParameters(resource),
      body: this.#bodies.document(resource, 'update'),
      ...this.#answer(this.#schemas.document(resource), `The ${resource.type}.`),
      errors: [400, 403, 404, 409, ...this.#validation(resource)],
    }),
    deleteResource: ({ resource }) => ({
      id: `delete${resource.model}`,
      summary: `Delete a ${resource.type}`,
      status: 204,
      success: { description: `The ${resource.type} is gone.` },
      errors: [400, 403, 404, 409],
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
    const schema = many ? this.#schemas.collection(target) : this.#schemas.document(target, true);
    return {
      id: `fetch${resource.model}${pascalCase(member)}`,
      summary: `Fetch ${member} of a ${resource.type}`,
      parameters: this.#parameters.families(many ? COLLECTION_FAMILIES : DOCUMENT_FAMILIES, target),
      ...this.#answer(schema, many ? `A page of ${target.type} resources.` : `The ${target.type}, or null.`),
      errors: [400, 404],
    };
  }

  #fetchRelationship({ resource, relationship: given }: Described): OperationParts {
    const relationship = requireRelationship(given);
    const { many, target, member } = relationship;
    const families = many
      ? this.#parameters.families(
          COLLECTION_FAMILIES.filter((family) => family !== 'include'),
          target,
        )
      : [];
    return {
      id: `fetch${resource.model}${pascalCase(member)}Relationship`,
      summary: `Fetch the linkage of ${member} of a ${resource.type}`,
      parameters: [...families, this.#parameters.includeFrom(relationship)],
      ...this.#answer(this.#schemas.linkage(relationship), 'Resource linkage.'),
      errors: [400, 404],
    };
  }

  #changeLinkage({ resource, relationship: given }: Described, [verb, words]: readonly [string, string]): OperationParts {
    const relationship = requireRelationship(given);
    const { member } = relationship;
    return {
      id: `${verb}${resource.model}${pascalCase(member)}`,
      summary: `${words} ${member} of a ${resource.type}`,
      body: this.#bodies.linkage(relationship),
      ...this.#linkageAnswer(relationship),
      errors: [400, 403, 404],
    };
  }

  /** A caller who may not read the linkage does not receive it. */
  #linkageAnswer(relationship: Relationship): Pick<OperationParts, 'status' | 'success'> {
    if (!relationship.rights.read) return { status: 204, success: { description: 'The linkage is changed.' } };
    return this.#answer(this.#schemas.linkage(relationship), 'Resource linkage.');
  }

  /** A success whose document several operations share. */
  #answer(schema: Reference, description: string): Pick<OperationParts, 'status' | 'success'> {
    const content = { [JSON_API_MEDIA_TYPE]: { schema } };
    return { status: 200, success: this.components.responseOf(schema, this.style, () => ({ description, content })) };
  }

  #created(resource: Resource): Pick<OperationParts, 'status' | 'success' | 'others'> {
    const content = { [JSON_API_MEDIA_TYPE]: { schema: this.#schemas.document(resource) } };
    const Location = { description: 'Its URL.', schema: { type: 'string' } } as const;
    return {
      status: 201,
      success: { description: `The ${resource.type} as it was created.`, headers: { Location }, content },
      ...this.#upserted(resource),
    };
  }

  #upserted(resource: Resource): Pick<OperationParts, 'others'> {
    if (!resource.actions.has('update')) return {};
    return { others: { 200: this.#answer(this.#schemas.document(resource), `The ${resource.type}.`).success } };
  }

  #answerParameters(resource: Resource): readonly Reference[] {
    return resource.actions.has('read') ? this.#parameters.families(DOCUMENT_FAMILIES, resource) : [];
  }

  #validation({ validate }: Resource): readonly number[] {
    return validate ? [422] : [];
  }

  #idParameter(resource: Resource): Reference {
    return this.components.parameter(`${resource.model}Id`, resource, () => {
      const example = exampleId(resource.identifier, this.#settings.idDivider);
      const { identifier } = resource;
      const description =
        identifier.fields.length > 1 ? identifier.fields.map(({ member }) => member).join(this.#settings.idDivider) : undefined;
      return {
        name: 'id',
        in: 'path',
        required: true,
        ...(description !== undefined && { description }),
        schema: this.#schemas.id(resource),
        examples: { id: { value: example } },
      };
    });
  }
}

type Offer = (relationship: Relationship, settings: RestSettings) => boolean;

const isReadable: Offer = ({ rights }) => rights.read;
const isWritable: Offer = (relationship) => relationship.rights.update && relationship.linkable.update;
const hasMembers: Offer = (relationship, settings) => relationship.many && isWritable(relationship, settings);

/** For endpoints that only some relationships have: whether a relationship has it. */
const ON_RELATIONSHIPS: Readonly<Partial<Record<RestOperationName, Offer>>> = {
  fetchRelated: isReadable,
  fetchRelationship: isReadable,
  addToRelationship: hasMembers,
  removeFromRelationship: hasMembers,
  replaceRelationship: isWritable,
  replaceRelated: (relationship, settings) => !relationship.many && !settings.strict && isWritable(relationship, settings),
};

function requireRelationship(relationship: Relationship | undefined): Relationship {
  if (!relationship) throw new TypeError('This endpoint has a relationship in its path.');
  return relationship;
}
