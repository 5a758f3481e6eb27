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
 * Adds to a broken unique or reference constraint the fields that it is on, and to a value that the database rejects its field, where that is beyond
 * doubt: those that the API shows. Any other error, and an application's own mapping of one, stays as it is.
 *
 * @param calls the operations of the request; the error tells which of them failed
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

/** The field whose value the database rejects, where only one can be meant. */
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

/** Where the argument has a field of the record. Of several records, the database does not name the one: then it is their list. */
function locateField(args: RpcCall['args'], field: string): string {
  const { data, create, update } = args;
  if (Array.isArray(data)) return data.length === 1 ? `data.0.${field}` : 'data';
  if (data !== undefined) return `data.${field}`;
  return isPlainObject(update) && field in update && !(isPlainObject(create) && field in create) ? `update.${field}` : `create.${field}`;
}

/** Then a column may be another table's. */
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
