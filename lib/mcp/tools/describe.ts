import { exposedOperations } from '../../rpc/arguments/exposed-operations.js';
import type { ApiDescription, ModelDescription } from '../../rpc/protocol/api-description.js';
import { findOperation, isWriteOperation } from '../../rpc/protocol/rpc-operations.js';
import { ownActionsOf } from '../../model/surface/own-actions-of.js';
import { cutList, cutValues, jsonBytes } from './cut-result.js';
import { modelSchema, requireKnown, requireText } from './arguments.js';
import { READS, type Tool } from './tool.js';

/** Describes what the caller can see and do, as `$describe` of RPC. */
export const describe: Tool = {
  name: 'describe',
  title: 'Describe the models',
  description:
    'Describes the models that you may use: their fields with types and rights, relations, keys, operations and actions. ' +
    'Without model: all of them; if that is too much, their names, and describe with a model gives its fields.',
  annotations: READS,
  writes: false,
  inputs: (surface) => {
    const usable = surface.resources.filter(
      (resource) => exposedOperations(resource, surface).length > 0 || ownActionsOf(resource, surface).length > 0,
    );
    const model = modelSchema(usable.map(({ delegate }) => delegate));
    return { properties: model ? { model } : {}, required: [] };
  },
  toRpc: (args) => {
    requireKnown('describe', args, ['model']);
    if (args['model'] === undefined) return { endpoint: 'describe', params: {}, method: 'GET' };
    return { endpoint: 'describeModel', params: { described: requireText('describe', args, 'model') }, method: 'GET' };
  },
  render: (data, args, { writes, maxResultBytes }) => {
    const { models: all, limits } = data as ApiDescription;
    const models = all.map((model) => (writes ? model : withoutWrites(model)));
    const summary = `${models.length} models.`;
    if (jsonBytes(models) <= maxResultBytes) return { summary, content: { models, limits } };
    const [only] = models;
    if (args['model'] !== undefined && only) {
      const { model, leftOut } = cutModel(only, maxResultBytes);
      const items = leftOut > 0 ? `documentation and ${leftOut} items of its lists are` : 'documentation is';
      const reason = `The description is larger than ${maxResultBytes} bytes: its ${items} left out.`;
      return { summary: `${summary} ${reason}`, content: { models: [model], limits, cut: { leftOut, reason } } };
    }
    const { kept, leftOut } = cutList(models.map(shorten), maxResultBytes);
    const missing = leftOut > 0 ? ` ${leftOut} models are left out: tools/list names all.` : '';
    const reason = `The descriptions are larger than ${maxResultBytes} bytes. Call describe with a model to see its fields.${missing}`;
    return { summary: `${summary} ${reason}`, content: { models: kept, limits, cut: { leftOut, reason } } };
  },
};

function withoutWrites({ operations, actions: _, ...model }: ModelDescription): ModelDescription {
  return {
    ...model,
    operations: operations.filter((name) => {
      const operation = findOperation(name);
      return operation && !isWriteOperation(operation);
    }),
    actions: [],
  };
}

/** Returns the description of one model without documentation, and with the first items of its lists that fit. */
function cutModel(
  { documentation: _, fields, relations, keys, operations, actions, ...rest }: ModelDescription,
  maxBytes: number,
): CutModel {
  const lists = {
    fields: fields.map(withoutDocumentation),
    relations,
    keys,
    operations,
    actions: actions.map(withoutDocumentation),
  };
  const names = Object.keys(lists);
  const empty = Object.fromEntries(names.map((name) => [name, []]));
  const { kept, leftOut } = cutValues(Object.values(lists), maxBytes - jsonBytes({ ...rest, ...empty }));
  return { model: { ...rest, ...Object.fromEntries(names.map((name, index) => [name, kept[index]])) }, leftOut };
}

interface CutModel {
  readonly model: object;
  readonly leftOut: number;
}

function withoutDocumentation({ documentation: _, ...item }: { readonly documentation?: string }): object {
  return item;
}

function shorten({ model, documentation, operations }: ModelDescription): object {
  return { model, ...(documentation !== undefined && { documentation }), operations };
}
