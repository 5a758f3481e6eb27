import { ApiError } from '../../errors/api-error.js';
import { memberOf } from '../../errors/member-of.js';
import { exposedOperations } from '../../rpc/arguments/exposed-operations.js';
import { findOperation, isWriteOperation } from '../../rpc/protocol/rpc-operations.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import type { Params } from '../protocol/read-message.js';
import { cutValues, jsonBytes } from './cut-result.js';
import { invalid, modelSchema, requireFlag, requireInteger, requireKnown, requireText } from './arguments.js';
import type { Tool } from './tool.js';

/** Executes operations in one transaction: the batch of RPC. A dry run is rolled back. */
export const write: Tool = {
  name: 'write',
  title: 'Write records',
  description:
    'Executes operations in order, in one transaction: all or none. args are those of the operation in Prisma, e.g. ' +
    '{"where": {"id": 1}, "data": {"title": "x"}} of update. By default it is a dry run: it returns the results and how many records change, ' +
    'and rolls back. Show that to the user, and call it again with dryRun: false. With maxAffected, it refuses to change more records.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  writes: true,
  inputs: (surface) => {
    const writable = surface.resources.map(
      (resource) => [resource.delegate, exposedOperations(resource, surface).filter(isWriteOperation)] as const,
    );
    const model = modelSchema(writable.flatMap(([delegate, operations]) => (operations.length > 0 ? [delegate] : [])));
    const operation = { type: 'string', enum: [...new Set(writable.flatMap(([, operations]) => operations.map(({ name }) => name)))] };
    const ifMatch = {
      type: 'string',
      description: 'The ETag that the record must still have, e.g. "\\"3\\"". Of update, upsert and delete.',
    };
    const properties = { model, operation, args: { type: 'object' }, ifMatch };
    const item = { type: 'object', properties, required: ['model', 'operation', 'args'] };
    return (
      model && {
        properties: {
          operations: { type: 'array', minItems: 1, items: item },
          dryRun: { type: 'boolean', default: true },
          maxAffected: { type: 'integer', minimum: 0 },
        },
        required: ['operations'],
      }
    );
  },
  toRpc: (args) => {
    requireKnown('write', args, ['operations', 'dryRun', 'maxAffected']);
    const operations = operationsOf(args);
    const most = requireInteger('write', args, 'maxAffected', [0, Infinity]);
    const entries = operations.map(({ operation: op, ...entry }) => ({ ...entry, op }));
    return {
      endpoint: 'sequential',
      params: {},
      method: 'POST',
      body: entries,
      ...(isDryRun(args) && { isDryRun: true }),
      checkBeforeCommit: ({ body }) => {
        requireAtMost(countAffected(memberOf(body, 'data'), operations), most);
      },
    };
  },
  render: (data, args, { maxResultBytes }) => {
    const operations = operationsOf(args);
    const dryRun = isDryRun(args);
    const affected = countAffected(data, operations);
    const empty = operations.map(({ model, operation }) => ({ model, operation, result: null }));
    const left = maxResultBytes - jsonBytes(empty);
    const { kept, leftOut } = cutValues(Array.isArray(data) ? data : [], left);
    // The names of a thousand operations may be too long by themselves.
    const results = left < 0 ? [] : empty.map((operation, index) => ({ ...operation, result: kept[index] ?? null }));
    const reason = `${leftOut} rows of the results are left out, because they are larger than ${maxResultBytes} bytes. Name fewer fields with select.`;
    const done = dryRun ? `Dry run: ${affected} records would change, and none has.` : `${affected} records have changed.`;
    const cut = leftOut > 0 && { cut: { leftOut, reason } };
    return { summary: leftOut > 0 ? `${done} ${reason}` : done, content: { dryRun, affected, results, ...cut } };
  },
};

function isDryRun(args: Params): boolean {
  return requireFlag('write', args, 'dryRun', true);
}

/** An operation as the client names it. RPC reads the other members. */
type Operation = Params & { readonly model: string; readonly operation: string };

function operationsOf({ operations }: Params): readonly Operation[] {
  if (!Array.isArray(operations)) throw invalid('write', 'operations', 'must be a list of { model, operation, args }.');
  return operations.map((given: unknown, index) => {
    const place = `operations[${index}]`;
    if (!isPlainObject(given)) throw invalid('write', place, 'must be an object of model, operation and args.');
    requireKnown(place, given, ['model', 'operation', 'args', 'ifMatch']);
    return { ...given, model: requireText(place, given, 'model'), operation: requireText(place, given, 'operation') };
  });
}

/** Counts the records that operations have written, without those that they nest. */
function countAffected(data: unknown, operations: readonly Operation[]): number {
  const results: readonly unknown[] = Array.isArray(data) ? data : [];
  return operations.reduce((sum, { operation }, index) => sum + affectedBy(findOperation(operation), results[index]), 0);
}

function affectedBy(operation: ReturnType<typeof findOperation>, result: unknown): number {
  if (!operation || !isWriteOperation(operation)) return 0;
  if (operation.result === 'affected') return Number(memberOf(result, 'count'));
  return Array.isArray(result) ? result.length : 1;
}

function requireAtMost(affected: number, most = Infinity): void {
  if (affected <= most) return;
  const detail = `The operations would change ${affected} records; maxAffected allows ${most}. Nothing has changed.`;
  throw new ApiError('limit-exceeded', detail, { path: 'maxAffected', fault: `is less than the ${affected} records that would change.` });
}
