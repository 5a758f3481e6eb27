import { ownActionsOf } from '../../model/surface/own-actions-of.js';
import type { OwnAction, Resource } from '../../model/surface/surface.js';
import { exposedOperations, type NamedOperation } from '../../rpc/arguments/exposed-operations.js';
import { isWriteOperation, RPC_BATCH, RPC_OPERATIONS, type RpcOperation } from '../../rpc/protocol/rpc-operations.js';
import type { RpcSettings } from '../../options/rpc-settings.js';
import { type Components, SHARED } from '../components.js';
import { bodySchema } from '../../validation/body-schema.js';
import type { DocumentedApi, DescribedStyle } from '../described-api.js';
import { errorResponses, responsesOf } from '../error-responses.js';
import { arrayOf, type JsonSchema, type JsonSchemas, objectOf } from '../json-schema.js';
import type { Operation, Parameter, PathItem, Reference, Response } from '../open-api.js';
import { type StyleDocument, withIdempotencyKey } from '../idempotency-key.js';
import { type OperationIds, pascalCase } from '../operation-ids.js';
import { ValueSchemas } from '../value-schemas.js';
import { describePaths } from './describe-paths.js';
import { RpcArguments } from './rpc-arguments.js';
import { rpcErrors } from './rpc-errors.js';
import { RpcInputs } from './rpc-inputs.js';
import { RpcResults } from './rpc-results.js';

/** Builds the paths of the RPC style from its table of operations: one for every operation that a model exposes. */
export class RpcPaths {
  readonly #inputs: RpcInputs;
  readonly #arguments: RpcArguments;
  readonly #results: RpcResults;
  readonly #document: StyleDocument<RpcSettings>;

  constructor(
    private readonly api: DocumentedApi,
    private readonly style: DescribedStyle<RpcSettings>,
    private readonly components: Components,
    private readonly operationIds: OperationIds,
  ) {
    const values = new ValueSchemas(components, style.surface, style.settings.bytes);
    this.#inputs = new RpcInputs(components, api, values);
    this.#arguments = new RpcArguments(components, api, this.#inputs);
    this.#results = new RpcResults(components, values);
    this.#document = { style, components, errors: rpcErrors(components) };
  }

  /** Builds the path items by path. */
  *all(): Generator<readonly [string, PathItem]> {
    const { resources } = this.style.surface;
    yield* describePaths(resources, this.#document, this.operationIds);
    for (const resource of resources) {
      for (const operation of exposedOperations(resource, this.style.surface)) yield this.#path(resource, operation);
      for (const action of ownActionsOf(resource, this.style.surface)) yield this.#ownPath(resource, action);
    }
    yield [`${this.style.path}/${RPC_BATCH.model}/${RPC_BATCH.name}`, this.#batch()];
  }

  #path(resource: Resource, operation: NamedOperation): readonly [string, PathItem] {
    const { model } = resource;
    const verbs = operation.verbs.map((verb) => {
      const made = this.#operation(resource, operation, verb === operation.verbs[0]);
      return [verb.toLowerCase(), withIdempotencyKey(made, { model, actions: operation.actions }, this.#document)];
    });
    return [`${this.style.path}/${resource.delegate}/${operation.name}`, Object.fromEntries(verbs)];
  }

  #operation(resource: Resource, operation: NamedOperation, isFirstVerb: boolean): Operation {
    const { name, input, status, result } = operation;
    const id = `${resource.delegate}${pascalCase(name)}`;
    const args = this.#arguments.of(resource, operation);
    return {
      operationId: this.operationIds.reserve(isFirstVerb ? id : `${id}ByPut`),
      summary: isFirstVerb ? `prisma.${resource.delegate}.${name}` : 'The same as PATCH',
      tags: [`${resource.model} (RPC)`],
      ...(input === 'q'
        ? { parameters: [this.#q(args, operation), this.#meta()] }
        : { requestBody: { required: true, content: json(args) } }),
      responses: responsesOf(
        status,
        this.#success(resource, result),
        errorResponses(isFirstVerb ? statusesOf(operation) : [400], this.#document.errors, this.components),
      ),
    };
  }

  #ownPath(resource: Resource, action: OwnAction): readonly [string, PathItem] {
    const { name, on, documentation } = action;
    const shape = this.api.actionShapeOf(resource.model, action);
    const where = on === 'record' ? { where: this.#inputs.of('unique-where', resource) } : {};
    const schema = objectOf({ ...where, ...(shape && { args: bodySchema(shape) }), meta: this.#arguments.meta() }, Object.keys(where));
    const post: Operation = {
      operationId: this.operationIds.reserve(`${resource.delegate}${pascalCase(name)}`),
      summary: `${resource.delegate}.${name}`,
      ...(documentation !== undefined && { description: documentation }),
      tags: [`${resource.model} (RPC)`],
      requestBody: { required: on === 'record', content: json(schema) },
      responses: {
        200: {
          description: 'The record, or what the action answers.',
          content: json(this.#results.envelope({})),
        },
        ...errorResponses([400, 403, 404], this.#document.errors, this.components),
      },
    };
    const keyed = withIdempotencyKey(post, { model: resource.model, actions: [name] }, this.#document);
    return [`${this.style.path}/${resource.delegate}/${name}`, { post: keyed }];
  }

  #success(resource: Resource, result: RpcOperation['result']): Reference {
    const schema = this.#results.of(result, resource);
    return this.components.responseOf(schema, this.style, () => ({
      description: RESULTS[result],
      content: json(schema),
    }));
  }

  #q(schema: JsonSchema, { required }: RpcOperation): Parameter {
    return {
      name: 'q',
      in: 'query',
      ...(required.length > 0 && { required: true }),
      description: 'The argument, as JSON.',
      content: json(schema),
    };
  }

  #meta(): Reference {
    return this.components.parameter('Meta', SHARED, () => ({
      name: 'meta',
      in: 'query',
      description: 'The types of values in `q` that JSON lacks, where they cannot be told from the fields.',
      content: json(this.#arguments.meta()),
    }));
  }

  #batch(): PathItem {
    const { resources } = this.style.surface;
    const properties: JsonSchemas = {
      model: { type: 'string', enum: resources.map(({ delegate }) => delegate) },
      op: { type: 'string', enum: Object.keys(RPC_OPERATIONS) },
      args: { type: 'object', description: 'The argument of the operation; it may carry a `meta` of its own.' },
    };
    const operations = { ...arrayOf(objectOf(properties, ['model', 'op'])), minItems: 1 };
    const [first] = resources;
    const example = {
      value: first
        ? [
            { model: first.delegate, op: 'findMany', args: { take: 2 } },
            { model: first.delegate, op: 'count' },
          ]
        : [],
    };
    const data = { ...arrayOf({}), description: 'The results, in order.' };
    const post: Operation = {
      operationId: this.operationIds.reserve('transactionSequential'),
      summary: 'Several operations in one transaction',
      tags: ['$transaction (RPC)'],
      requestBody: { required: true, content: { 'application/json': { schema: operations, examples: { example } } } },
      responses: {
        [RPC_BATCH.status]: {
          description: 'The results, in order.',
          content: json(this.#results.envelope(data)),
        },
        ...errorResponses([400, 403, 404], this.#document.errors, this.components),
      },
    };
    return { post: withIdempotencyKey(post, { actions: ['update'] }, this.#document) };
  }
}

function json(schema: JsonSchema): NonNullable<Response['content']> {
  return { 'application/json': { schema } };
}

/** Returns the error statuses of an operation: 403 for writes, and 404 for operations that require a record. */
function statusesOf(operation: RpcOperation): readonly number[] {
  return [400, ...(isWriteOperation(operation) ? [403] : []), ...(operation.result === 'row' ? [404] : [])];
}

const RESULTS: Readonly<Record<RpcOperation['result'], string>> = {
  'rows': 'The records.',
  'row': 'The record.',
  'row-or-null': 'The record, or null.',
  'count': 'The number of records.',
  'aggregate': 'The aggregates.',
  'groups': 'The groups.',
  'affected': 'How many records are written.',
};
