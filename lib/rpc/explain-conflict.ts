import type { ApiError } from '../errors/api-error.js';
import { changeError } from '../errors/change-error.js';
import { isConstraintNamed, readBrokenConstraint } from '../model/storage/read-broken-constraint.js';
import type { Storage } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import type { Resource } from '../model/surface/surface.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { RpcCall } from './parse-rpc-call.js';

/**
 * Adds to a broken unique or reference constraint the fields that it is on, where that is beyond doubt: those that the API shows. Any other
 * error, and a host's own mapping of one, stays as it is.
 *
 * @param calls the operations of the request; the error tells which of them failed
 */
export function explainConflict(error: ApiError, calls: readonly RpcCall[], storage: Storage): ApiError {
  const call = calls[error.callIndex ?? 0];
  const [{ code }] = error.problems;
  if (!call || !error.orm || (code !== 'unique-conflict' && code !== 'reference-conflict')) return error;
  const fields = conflictingFields(error.cause, call, storage);
  if (fields.length === 0) return error;
  const paths = fields.map((field) => locateField(call.args, field));
  return changeError(error, { orm: { ...error.orm, fields, paths } });
}

function conflictingFields(cause: unknown, { resource, args }: RpcCall, storage: Storage): readonly string[] {
  if (writesThroughRelations(resource, args) && !isConstraintNamed(cause)) return [];
  return readBrokenConstraint(cause, storedModel(storage, resource.model)).filter((name) => isShown(resource, name));
}

/** Where the argument has a field of the record. Of several records, the database does not name the one: then it is their list. */
function locateField(args: RpcCall['args'], field: string): string {
  const { data, create, update } = args;
  if (Array.isArray(data)) return data.length === 1 ? `data.0.${field}` : 'data';
  if (data !== undefined) return `data.${field}`;
  return isPlainObject(update) && field in update && !(isPlainObject(create) && field in create) ? `update.${field}` : `create.${field}`;
}

/** Then a column may be another table's. */
function writesThroughRelations(resource: Resource, args: RpcCall['args']): boolean {
  const records = [args['data'], args['create'], args['update']].flatMap((data) => data);
  return records.some((record) => isPlainObject(record) && Object.keys(record).some((key) => isRelation(resource, key)));
}

function isRelation(resource: Resource, key: string): boolean {
  return resource.fields.get(key)?.kind === 'relationship';
}

function isShown(resource: Resource, name: string): boolean {
  const rights = resource.fields.get(name)?.rights;
  return rights !== undefined && (rights.read || rights.create || rights.update);
}
