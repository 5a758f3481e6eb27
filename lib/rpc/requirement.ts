import { type ActionRequirement, isChanging } from '../actions/action-requirement.js';
import type { ActionMethod } from '../actions/action.js';
import type { DataCall } from '../executor/plan.js';
import { ApiError, type ApiErrorOptions } from '../errors/api-error.js';
import type { StoredField, StoredModel } from '../model/storage/storage.js';
import type { ApiRequest } from '../http/api-request.js';
import { readPreconditions, readTags, requireNoPreconditions } from '../http/preconditions.js';
import type { Resource } from '../model/surface/surface.js';
import { ALWAYS, type Condition, type UniqueCondition } from '../query/condition.js';
import type { Query } from '../query/query.js';
import type { Delete, Update, Upsert } from '../query/write.js';
import { requiredVersion } from '../run/checks/required-version.js';
import type { RpcCall } from './parse-rpc-call.js';

/**
 * Adds the version requirement of a write (CC-32): the header `If-Match` or, in a batch, `ifMatch` beside `args`.
 *
 * @returns the call with its requirement
 * @throws ApiError `unsupported-header` if the operation supports no precondition, `precondition-required` if one is mandatory
 */
export function withRequirement(planned: DataCall, call: RpcCall, request: ApiRequest, isBatch = false): DataCall {
  const { query } = planned;
  const tags = isBatch ? readTags('ifMatch', call.ifMatch) : headerTags(request, query);
  if (tags === undefined) {
    requireVersion(query, call);
    return planned;
  }
  if (!isOfOneRow(query))
    throw new ApiError('unsupported-header', `If-Match is for update, upsert and delete, not for ${call.operation.name}.`, {
      source: { header: 'If-Match' },
    });
  return { ...planned, requires: requiredVersion({ ifMatch: tags }, query.model, false) };
}

function headerTags(request: ApiRequest, query: Query) {
  if (request.headers['if-match'] === undefined && READS.has(query.kind)) return undefined;
  if (!isOfOneRow(query)) requireNoPreconditions(request, 'It is for update, upsert and delete.');
  return readIfMatch(request, 'Writes');
}

/** Reads `If-Match`, and rejects `If-None-Match`. */
function readIfMatch(request: ApiRequest, kind: 'Writes' | 'Actions') {
  const given = readPreconditions(request);
  if (given?.ifNoneMatch !== undefined) requireNoPreconditions(request, `${kind} of RPC take If-Match alone.`);
  return given?.ifMatch;
}

/** Reads, whose `If-None-Match` is the validator of a cache. */
const READS: ReadonlySet<Query['kind']> = new Set(['find-unique', 'find', 'count', 'aggregate', 'group-by'] as const);

function isOfOneRow(query: Query): query is Update | Upsert | Delete {
  return query.kind === 'update' || query.kind === 'upsert' || query.kind === 'delete';
}

/** Rejects a write without a version if the model has `concurrency: 'required'`. The version may be in `where` in place of `If-Match`. */
function requireVersion(query: Query, { resource, operation }: RpcCall): void {
  if (resource.version?.isRequired !== true || READS.has(query.kind) || query.kind.startsWith('create')) return;
  const { version } = query.model;
  const where = 'where' in query ? query.where : ALWAYS;
  if (version && mentions('keys' in where ? where.more : where, version)) return;
  throw versionRequired(`${resource.delegate}.${operation.name}`, query.model);
}

function versionRequired(operation: string, { version }: StoredModel): ApiError {
  const how = version ? 'in its where, or as If-Match' : 'which is offered by REST alone, as the model has no version field';
  const detail = `${operation} must say which version it changes: ${how}.`;
  return new ApiError('precondition-required', detail, { headers: { 'Cache-Control': 'no-store' } });
}

/** An RPC action and the record on which it runs. */
interface RecordsAction {
  readonly resource: Resource;
  readonly action: ActionMethod;
  /** The key of the record; undefined for the collection. */
  readonly where: UniqueCondition | undefined;
}

/**
 * Returns the version requirement on the record of an action: `If-Match`, or the version in `where`.
 *
 * @throws ApiError `unsupported-header` if the action supports no precondition, `precondition-required` if one is mandatory
 */
export function rpcActionRequirement(request: ApiRequest, { resource, action, where }: RecordsAction): ActionRequirement | undefined {
  if (!where) {
    requireNoPreconditions(request, 'It is for actions on a record.');
    return undefined;
  }
  const ifMatch = readIfMatch(request, 'Actions');
  const [{ model }] = where.keys;
  const isInWhere = mentionsVersion(where);
  if (ifMatch === undefined && !isInWhere && isChanging(action) && resource.version?.isRequired === true)
    throw versionRequired(`${resource.delegate}.${action.name}`, model);
  if (ifMatch === undefined && !isInWhere) return undefined;
  return { condition: ifMatch === undefined ? ALWAYS : requiredVersion({ ifMatch }, model, false), refuse: changed, isInWhere };
}

function mentionsVersion({ keys: [{ model }], more }: UniqueCondition): boolean {
  return model.version !== undefined && mentions(more, model.version);
}

/** Whether a condition restricts the version by `equals` or `in`. */
function mentions(condition: Condition, version: StoredField): boolean {
  if (condition.kind === 'and') return condition.conditions.some((one) => mentions(one, version));
  return condition.kind === 'compare' && condition.field === version && (condition.operator === 'equals' || condition.operator === 'in');
}

/** Returns the row of a write with a version requirement (CC-20); undefined for any other write. */
export function versionedRow({ query, requires }: DataCall): UniqueCondition | undefined {
  if (!isOfOneRow(query)) return undefined;
  return requires !== undefined || (query.kind !== 'upsert' && mentionsVersion(query.where)) ? query.where : undefined;
}

/** Returns the error of such a write after the look-up of its row: the row has another version, or it does not exist. */
export function lookedUp(error: ApiError, isThere: boolean): ApiError {
  const { orm, callIndex, cause } = error;
  const of = { cause, ...(orm && { orm }), ...(callIndex !== undefined && { callIndex }) };
  if (isThere) return changed(of);
  return error.problems[0].code === 'not-found'
    ? error
    : new ApiError('not-found', 'A record that this request depends on does not exist.', of);
}

function changed(options: ApiErrorOptions = {}): ApiError {
  return new ApiError('precondition-failed', 'The record has changed since its version was read.', options);
}
