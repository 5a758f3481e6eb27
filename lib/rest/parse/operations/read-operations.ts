import { ApiError } from '../../../errors/api-error.js';
import { segmentOfId } from '../../../model/values/resource-id.js';
import { isPlainObject } from '../../../wire/is-plain-object.js';
import { restOperation, type RestOperation } from '../../protocol/rest-endpoints.js';
import type { RestSettings } from '../../../options/rest-settings.js';
import { bodyError, memberPointer } from '../body-error.js';
import { readIdText, readLid } from '../parse-identifier.js';
import type { PathParameters } from '../target.js';
import { type JsonObject, readBody } from '../read-document.js';
import { OPERATIONS_MEMBER, OPERATIONS_POINTER } from './at-operation.js';
import { type HrefTarget, readHref } from './read-href.js';

/** The operations of a request. They are read once, so that guards check exactly the operations that are executed. */
export interface RequestedOperations {
  readonly entries: readonly (RequestedOperation | ApiError)[];
  /** The fault of a body that contains no operations. It is thrown after the guards have run. */
  readonly fault?: Error;
}

/**
 * Reads the operations of a request. Faults are returned, not thrown.
 *
 * @param json returns the parsed body of the request
 */
export function readOperations(json: () => unknown, settings: Pick<RestSettings, 'endpoint' | 'strict'>): RequestedOperations {
  try {
    return { entries: listOf(json()).map((value) => orFault(() => readOperation(value, settings))) };
  } catch (fault) {
    if (fault instanceof Error) return { entries: [], fault };
    throw fault;
  }
}

/** Returns the number of operations in a body, before any of them is read; 0 for an invalid body. */
export function countOperations(json: () => unknown): number {
  try {
    return listOf(json()).length;
  } catch {
    return 0;
  }
}

function orFault(read: () => RequestedOperation): RequestedOperation | ApiError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Members that a request must not have beside its operations (AO-07). */
const STRANGERS = ['data', 'included', 'errors', 'atomic:results'] as const;

function listOf(json: unknown): readonly unknown[] {
  const body = readBody(json);
  for (const member of STRANGERS) {
    if (body[member] === undefined) continue;
    throw bodyError('invalid-payload', memberPointer('', member), `A request has no member '${member}' beside '${OPERATIONS_MEMBER}'.`);
  }
  const operations = body[OPERATIONS_MEMBER];
  if (operations === undefined) throw bodyError('invalid-payload', '', `The body needs the member '${OPERATIONS_MEMBER}'.`);
  if (Array.isArray(operations) && operations.length > 0) return operations;
  throw bodyError('invalid-payload', OPERATIONS_POINTER, 'The operations must be an array of at least one.');
}

/**
 * The parts of an operation that guards need: its REST operation and its target. Its `data` is parsed later, like the document of a single
 * request.
 */
export interface RequestedOperation {
  readonly operation: RestOperation;
  readonly params: PathParameters;
  /** The member that names its target. */
  readonly at: '/ref' | '/href' | '/data';
  /** The operation object, whose `data` and `meta` are those of a document. */
  readonly document: JsonObject;
}

/**
 * Reads the REST operation and the target of an operation (AO-09 to AO-20).
 *
 * @throws ApiError whose pointers begin at the operation
 */
function readOperation(value: unknown, { endpoint, strict }: Pick<RestSettings, 'endpoint' | 'strict'>): RequestedOperation {
  if (!isPlainObject(value)) throw bodyError('invalid-payload', '', 'An operation must be an object.');
  const op = readOp(value);
  if (value['ref'] !== undefined && value['href'] !== undefined) {
    throw bodyError('invalid-payload', '', 'An operation has a ref or an href, not both.');
  }
  const document = op === 'add' ? withoutRef(value, strict) : value;
  const { kind, params, at } = readOperationTarget(document, op, { endpoint, strict });
  const operation = restOperation(kind, METHODS[op]);
  if (operation) return { operation, params, at, document };
  throw bodyError('invalid-payload', at === '/data' ? '' : at, `There is no '${op}' of a ${kind}.`);
}

type Op = keyof typeof METHODS;

const METHODS = { add: 'POST', update: 'PATCH', remove: 'DELETE' } as const;

function readOp({ op }: JsonObject): Op {
  if (op === 'add' || op === 'update' || op === 'remove') return op;
  throw bodyError('invalid-payload', op === undefined ? '' : '/op', "The op of an operation is 'add', 'update' or 'remove'.");
}

function readOperationTarget(document: JsonObject, op: Op, { endpoint, strict }: Pick<RestSettings, 'endpoint' | 'strict'>): Target {
  const { ref, href, data } = document;
  if (ref !== undefined) return { ...readRef(ref, strict), at: '/ref' };
  if (href !== undefined) return { ...readHref(href, endpoint), at: '/href' };
  return readDataTarget(data, op, strict);
}

interface Target extends HrefTarget {
  readonly at: RequestedOperation['at'];
}

function readRef(ref: unknown, strict: boolean): HrefTarget {
  if (!isPlainObject(ref)) throw bodyError('invalid-payload', '/ref', 'The ref of an operation must be an object.');
  const { type, relationship } = ref;
  if (typeof type !== 'string') throw bodyError('invalid-payload', '/ref', 'The ref of an operation needs a type, which is a string.');
  const named = readIdentity(ref, '/ref', strict);
  if (!named) throw bodyError('invalid-payload', '/ref', 'The ref of an operation needs an id or a lid.');
  if (relationship === undefined) return { kind: 'resource', params: { type, ...named } };
  if (typeof relationship !== 'string') throw bodyError('invalid-payload', '/ref/relationship', 'The relationship must be a string.');
  return { kind: 'relationship', params: { type, ...named, relationship } };
}

/** Reads the target from the data, for an operation without `ref` and `href`. */
function readDataTarget(data: unknown, op: Op, strict: boolean): Target {
  if (op === 'remove') throw bodyError('invalid-payload', '', "A 'remove' needs a ref or an href.");
  if (!isPlainObject(data)) {
    throw bodyError('invalid-payload', data === undefined ? '' : '/data', `This '${op}' needs data, which is a resource object.`);
  }
  const { type } = data;
  if (typeof type !== 'string') throw bodyError('invalid-payload', '/data', 'The resource object needs a type, which is a string.');
  if (op === 'add') return { kind: 'collection', params: { type }, at: '/data' };
  const named = readIdentity(data, '/data', strict);
  if (!named) throw bodyError('invalid-payload', '/data', "An 'update' without ref and href needs the id or the lid of its resource.");
  return { kind: 'resource', params: { type, ...named }, at: '/data' };
}

function readIdentity(object: JsonObject, pointer: string, strict: boolean): Pick<PathParameters, 'id' | 'lid'> | undefined {
  const lid = readLid(object, pointer);
  if (lid !== undefined) return { lid };
  const id = readIdText(object['id'], pointer, { strict });
  return id === undefined ? undefined : { id: segmentOfId(id) };
}

/** Removes the `ref` of an `add`, which some existing clients send (AO-19). It must name the same resource as the data, or provide its local id. */
function withoutRef(value: JsonObject, strict: boolean): JsonObject {
  const { ref, data, ...others } = value;
  if (!isPlainObject(ref) || ref['relationship'] !== undefined || !isPlainObject(data)) return value;
  if (strict) throw bodyError('invalid-payload', '/ref', "An 'add' of a resource takes no ref.");
  if (!isSameText(ref['type'], data['type'])) throw bodyError('type-conflict', '/ref', 'The types of ref and data differ.');
  return { ...others, data: { ...data, ...addedLid(ref, data) } };
}

function addedLid(ref: JsonObject, data: JsonObject): { readonly lid?: string } {
  const named = readIdentity(ref, '/ref', false);
  const given = readIdentity(data, '/data', false);
  if (!given && named?.lid !== undefined) return { lid: named.lid };
  if (!named || (named.id === given?.id && named.lid === given?.lid)) return {};
  throw bodyError('id-conflict', '/ref', 'The resources that ref and data name differ.');
}

function isSameText(one: unknown, other: unknown): boolean {
  return typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();
}
