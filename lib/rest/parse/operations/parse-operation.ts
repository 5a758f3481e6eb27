import { ApiError } from '../../../errors/api-error.js';
import { changeError } from '../../../errors/change-error.js';
import type { ErrorCode } from '../../../errors/error-catalogue.js';
import { quote } from '../../../errors/quote.js';
import type { Resource } from '../../../model/surface/surface.js';
import type { PendingRow } from '../../../query/pending-value.js';
import { isPlainObject } from '../../../wire/is-plain-object.js';
import type { RestOperationName } from '../../protocol/rest-endpoints.js';
import { at, bodyError } from '../body-error.js';
import { collectAll } from '../collect.js';
import { parseDocument } from '../parse-document.js';
import { parseIdentifier, readLid } from '../parse-identifier.js';
import { parseLinkageDocument } from '../parse-linkage.js';
import { parseCollectionTarget, parseLinkageTarget, parseResourceTarget } from '../parse-target.js';
import type { RelationshipTarget, ResourceId } from '../target.js';
import type { RestContext } from '../rest-context.js';
import type { Linkage, LinkageIntent, WriteIntent } from '../write-intent.js';
import type { LocalIds } from './local-ids.js';
import type { RequestedOperation } from './read-operations.js';

/** The write of an operation. */
export interface ParsedOperation {
  readonly intent: WriteIntent;
  /** The resource of its result; absent if the result is empty (AO-13 to AO-15). */
  readonly shown?: Resource;
  /** The row that it creates, present if later operations can name it by a local id. */
  readonly returns?: PendingRow;
}

/** The REST context of all operations of one request. */
interface OperationsContext extends RestContext {
  readonly localIds: LocalIds;
}

/**
 * Parses an operation like the single request with the same effect, and with the same rights. A local id that it declares is valid from
 * then on, even if the operation has another fault. Otherwise, later operations would be reported as faulty too.
 *
 * @throws ApiError whose pointers begin at the operation
 */
export function parseOperation(requested: RequestedOperation, context: OperationsContext): ParsedOperation {
  const parse = PARSERS[requested.operation.operation];
  if (parse) return parse(requested, context);
  throw new TypeError(`No operation of a request is '${requested.operation.operation}'.`);
}

type ParseOperation = (requested: RequestedOperation, context: OperationsContext) => ParsedOperation;

const PARSERS: Readonly<Partial<Record<RestOperationName, ParseOperation>>> = {
  createResource: parseAdd,
  updateResource: parseUpdate,
  deleteResource: parseRemove,
  addToRelationship: (requested, context) => parseChange('add', requested, context),
  replaceRelationship: (requested, context) => parseChange('replace', requested, context),
  removeFromRelationship: (requested, context) => parseChange('remove', requested, context),
};

function parseAdd(requested: RequestedOperation, context: OperationsContext): ParsedOperation {
  const target = located(requested, () => parseCollectionTarget('create', requested.params, context));
  const { resource } = target;
  const { intent, returns } = collectAll({
    intent: () => parseDocument(target, requested.document, context),
    returns: () => declareLid(requested, resource, context),
  });
  return { intent, shown: resource, ...(returns && { returns }) };
}

function declareLid(
  { document: { data } }: RequestedOperation,
  resource: Resource,
  { localIds }: OperationsContext,
): PendingRow | undefined {
  const lid = isPlainObject(data) ? readLid(data, '/data') : undefined;
  return lid === undefined ? undefined : at('/data/lid', () => localIds.declare(resource, lid));
}

function parseUpdate(requested: RequestedOperation, context: OperationsContext): ParsedOperation {
  const target = located(requested, () => parseResourceTarget('update', requested.params, context));
  checkLid(requested.document['data'], target.id);
  return { intent: parseDocument(target, requested.document, context), shown: target.resource };
}

/** Requires that the local id of the data names the same resource as `ref` (AO-18). */
function checkLid(data: unknown, { lid }: ResourceId): void {
  const given = isPlainObject(data) ? readLid(data, '/data') : undefined;
  if (given === undefined || given === lid) return;
  throw bodyError('id-conflict', '/data/lid', `The lid ${quote(given)} does not name the resource that the operation is about.`);
}

function parseRemove(requested: RequestedOperation, context: OperationsContext): ParsedOperation {
  const { resource, id } = located(requested, () => parseResourceTarget('delete', requested.params, context));
  return { intent: { kind: 'delete', resource, id } };
}

function parseChange(kind: LinkageIntent['kind'], requested: RequestedOperation, context: OperationsContext): ParsedOperation {
  const target = located(requested, () => parseLinkageTarget(kind, requested.params, context));
  return { intent: { kind, target, linkage: linkageOf(kind, target, requested.document, context) } };
}

/** Parses the linkage of an operation. `add` and `remove` accept a single identifier without an array, except in strict mode (AO-20). */
function linkageOf(
  kind: LinkageIntent['kind'],
  target: RelationshipTarget,
  document: RequestedOperation['document'],
  context: OperationsContext,
): Linkage {
  const { relationship } = target;
  const { data } = document;
  if (kind === 'replace' || context.settings.strict || !relationship.many || !isPlainObject(data))
    return parseLinkageDocument(target, document, context);
  const pointer = '/data';
  return { relationship, pointer, records: [parseIdentifier(data, pointer, relationship.target, context)] };
}

/** Calls a reader of a target, and sets the pointer of its error to the member that names the target. */
function located<Result>({ at: place, params: { lid } }: RequestedOperation, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ApiError) || error.problems[0].source) throw error;
    const [{ code }] = error.problems;
    const member = code === 'invalid-payload' && lid !== undefined ? '/lid' : MEMBERS[code];
    if (member === undefined) throw error;
    throw changeError(error, { source: { pointer: place === '/href' ? place : place + member } });
  }
}

/** The member of a target, by the code of an error about it. An error with another code is about the whole operation. */
const MEMBERS: Readonly<Partial<Record<ErrorCode, string>>> = {
  'unsupported-model': '/type',
  'invalid-id': '/id',
  'unsupported-relationship': '/relationship',
};
