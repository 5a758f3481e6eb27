import { ownActionsOf } from '../../model/surface/own-actions-of.js';
import { findOperation } from '../../rpc/protocol/rpc-operations.js';
import { cutValues } from './cut-result.js';
import { invalid, modelSchema, requireKnown, requireObject, requireText } from './arguments.js';
import type { Tool } from './tool.js';

/** Calls an action of the application (`@ResourceAction`), or `restore`. */
export const act: Tool = {
  name: 'act',
  title: 'Call an action',
  description:
    'Calls an action that the application has on a model; describe lists them. where names the record of an action on a record, e.g. {"id": 1}. ' +
    'args are the arguments of the action. It is executed at once, and may have effects outside of the database.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  writes: true,
  inputs: (surface) => {
    const owners = surface.resources.map((resource) => [resource.delegate, ownActionsOf(resource, surface)] as const);
    const model = modelSchema(owners.flatMap(([delegate, actions]) => (actions.length > 0 ? [delegate] : [])));
    const action = { type: 'string', enum: [...new Set(owners.flatMap(([, actions]) => actions.map(({ name }) => name)))] };
    return (
      model && {
        properties: { model, action, where: { type: 'object' }, args: { type: 'object' } },
        required: ['model', 'action'],
      }
    );
  },
  toRpc: (args) => {
    requireKnown('act', args, ['model', 'action', 'where', 'args']);
    const params = { model: requireText('act', args, 'model'), operation: requireText('act', args, 'action') };
    if (findOperation(params.operation)) throw invalid('act', 'action', 'is no action: the tool write has the operations of a model.');
    const body = {
      ...(args['where'] !== undefined && { where: requireObject('act', args, 'where') }),
      ...(args['args'] !== undefined && { args: requireObject('act', args, 'args') }),
    };
    return { endpoint: 'operation', params, method: 'POST', body };
  },
  render: (data, args, { maxResultBytes }) => {
    const { kept, leftOut } = cutValues([data], maxResultBytes);
    const reason = `The result is larger than ${maxResultBytes} bytes: a part of it is left out. The action is done.`;
    const done = `${String(args['action'])} of ${String(args['model'])} is done.`;
    const cut = leftOut > 0 && { cut: { leftOut, reason } };
    return { summary: leftOut > 0 ? reason : done, content: { result: kept[0] ?? null, ...cut } };
  },
};
