import type { ApiError } from '../errors/api-error.js';
import { changeError } from '../errors/change-error.js';
import type { ErrorCode } from '../errors/error-catalogue.js';
import { locateInvalidValue } from '../model/storage/locate-invalid-value.js';
import { isConstraintNamed, readBrokenConstraint } from '../model/storage/read-broken-constraint.js';
import type { Storage } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import type { Resource } from '../model/surface/surface.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { RpcCall } from './parse-rpc-call.js';

/**
 * Adds the fields of a violated unique or reference constraint, or the field of an invalid value, to an error. Fields are added only if they are
 * unambiguous and exposed. Other errors, and errors that the application has mapped itself, are unchanged.
 *
 * @param calls the operations of the request; the error has the index of the failed one
 */
export function explainConflict(error: ApiError, calls: readonly RpcCall[], storage: Storage): ApiError {
  const call = calls[error.callIndex ?? 0];
  const [{ code }] = error.problems;
  if (!call || !error.orm) return error;
  const find = FIELDS_BY_CODE.get(code);
  const fields = find?.(error.cause, call, storage) ?? [];
  if (fields.length === 0) return error;
  const paths = fields.map((field) => locateField(call.args, field));
  return changeError(error, { orm: { ...error.orm, fields, paths } });
}

type FindFields = (cause: unknown, call: RpcCall, storage: Storage) => readonly string[];

/** Returns the field whose value the database rejects, if only one field is possible. */
function rejectedFields(cause: unknown, { resource, args }: RpcCall, storage: Storage): readonly string[] {
  if (writesThroughRelations(resource, args)) return [];
  const names = new Set(recordsOf(args).flatMap((record) => (isPlainObject(record) ? Object.keys(record) : [])));
  const given = resource.attributes.filter(({ name }) => names.has(name)).map((attribute) => ({ attribute }));
  const found = locateInvalidValue(cause, given, storedModel(storage, resource.model));
  return found && isShown(resource, found.attribute.name) ? [found.attribute.name] : [];
}

function conflictingFields(cause: unknown, { resource, args }: RpcCall, storage: Storage): readonly string[] {
  if (writesThroughRelations(resource, args) && !isConstraintNamed(cause)) return [];
  return readBrokenConstraint(cause, storedModel(storage, resource.model)).filter((name) => isShown(resource, name));
}

/**
 * Returns the path of a field in the argument. If there are several records, it is the path of their list, because the database does not name the
 * record.
 */
function locateField(args: RpcCall['args'], field: string): string {
  const { data, create, update } = args;
  if (Array.isArray(data)) return data.length === 1 ? `data.0.${field}` : 'data';
  if (data !== undefined) return `data.${field}`;
  return isPlainObject(update) && field in update && !(isPlainObject(create) && field in create) ? `update.${field}` : `create.${field}`;
}

/** Whether a call has nested writes. If so, the column of an error may be in another table. */
function writesThroughRelations(resource: Resource, args: RpcCall['args']): boolean {
  return recordsOf(args).some((record) => isPlainObject(record) && Object.keys(record).some((key) => isRelation(resource, key)));
}

function recordsOf(args: RpcCall['args']): readonly unknown[] {
  return [args['data'], args['create'], args['update']].flatMap((data) => data);
}

function isRelation(resource: Resource, key: string): boolean {
  return resource.fields.get(key)?.kind === 'relationship';
}

function isShown(resource: Resource, name: string): boolean {
  const rights = resource.fields.get(name)?.rights;
  return rights !== undefined && (rights.read || rights.create || rights.update);
}

const FIELDS_BY_CODE: ReadonlyMap<ErrorCode, FindFields> = new Map<ErrorCode, FindFields>([
  ['unique-conflict', conflictingFields],
  ['reference-conflict', conflictingFields],
  ['invalid-value', rejectedFields],
]);
