import { quote } from '../../errors/quote.js';
import type { Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { at, bodyError } from './body-error.js';
import { resourceId } from './parse-target.js';
import type { ResourceId } from './target.js';
import type { JsonObject } from './read-document.js';
import type { RestContext } from './rest-context.js';
import type { LinkedRecord } from './write-intent.js';

/**
 * Parses a resource identifier object `{ type, id }` of a body. Other members are ignored.
 *
 * @param target the resource that it must name
 * @throws ApiError `type-conflict` for another type than that of the relationship, `invalid-relation-data`, `invalid-id`
 */
export function parseIdentifier(value: unknown, pointer: string, target: Resource, context: RestContext): LinkedRecord {
  if (!isPlainObject(value)) {
    const detail = `A resource identifier is an object such as { "type": "${target.type}", "id": "1" }.`;
    throw bodyError('invalid-relation-data', pointer, detail);
  }
  const { localIds } = context;
  requireType(value['type'], pointer, target);
  const lid = localIds && readLid(value, pointer);
  const id = parseIdMember(value, pointer, target, context);
  if (id) return { id, pointer };
  // An operation can name a resource that an earlier operation creates (AO-24).
  if (localIds && lid !== undefined) return { id: at(`${pointer}/lid`, () => localIds.resolve(target, lid)), pointer };
  if (localIds) throw bodyError('invalid-relation-data', pointer, 'A resource identifier needs an id or a lid.');
  if (value['lid'] === undefined) throw bodyError('invalid-relation-data', pointer, 'A resource identifier needs an id.');
  const detail = 'A relationship can only name existing resources, by their id: lid is not supported.';
  throw bodyError('invalid-relation-data', `${pointer}/lid`, detail);
}

function requireType(type: unknown, pointer: string, target: Resource): void {
  if (type === undefined) throw bodyError('invalid-relation-data', pointer, `A resource identifier needs a type, here '${target.type}'.`);
  if (typeof type !== 'string') throw bodyError('invalid-relation-data', `${pointer}/type`, 'The type must be a string.');
  if (type.toLowerCase() === target.type.toLowerCase()) return;
  throw bodyError('type-conflict', `${pointer}/type`, `This relationship holds resources of type '${target.type}', not ${quote(type)}.`);
}

/**
 * Parses the `id` of a resource object or identifier: a string or a number, in strict mode only a string.
 *
 * @param resource the resource that the id belongs to
 * @returns undefined for a missing or null id
 * @throws ApiError `invalid-payload` for another JSON type, `invalid-id` for a text that cannot be an id of the resource
 */
export function parseIdMember({ id }: JsonObject, pointer: string, resource: Resource, { settings }: RestContext): ResourceId | undefined {
  const text = readIdText(id, pointer, { strict: settings.strict, resource });
  if (text === undefined) return undefined;
  const read = text === '' ? undefined : resourceId(resource, text, settings);
  if (read) return read;
  throw bodyError('invalid-id', `${pointer}/id`, `This cannot be an id of ${resource.type}.`);
}

/** Settings for reading the text of an `id`. */
interface IdReading {
  readonly strict: boolean;
  /** The resource that the id belongs to, if its type is already resolved. */
  readonly resource?: Resource;
}

/**
 * Returns the text of an `id`, without checking that it is an id of the resource. A bigint comes from `meta.serialization`.
 *
 * @throws ApiError `invalid-payload` for another JSON type, `invalid-id` for a number that `JSON.parse` may have rounded
 */
export function readIdText(id: unknown, pointer: string, { strict, resource }: IdReading): string | undefined {
  if (id === undefined || id === null) return undefined;
  if (typeof id === 'string') return id;
  if (strict || (typeof id !== 'number' && typeof id !== 'bigint'))
    throw bodyError('invalid-payload', `${pointer}/id`, `An id must be a string${strict ? '' : ' or a number'}.`);
  if (typeof id === 'bigint' || isExactId(id, resource)) return String(id);
  const detail = `As a number, an id must be an integer up to ${Number.MAX_SAFE_INTEGER}: JSON may have rounded any other. Send it as a string.`;
  throw bodyError('invalid-id', `${pointer}/id`, detail);
}

/**
 * Whether a number is exactly the one that the client sent. A rounded number could be the id of another record. A Float key may have a
 * fraction.
 */
function isExactId(id: number, resource: Resource | undefined): boolean {
  if (Number.isInteger(id)) return Number.isSafeInteger(id);
  const [field, ...others] = resource?.identifier.fields ?? [];
  return Number.isFinite(id) && field?.type === 'Float' && others.length === 0;
}

/**
 * Reads the `lid` of an object of an operation. An object has either an id or a lid (AO-23).
 *
 * @param pointer JSON pointer to the object
 * @returns undefined if there is none
 * @throws ApiError `invalid-payload`
 */
export function readLid({ id, lid }: JsonObject, pointer: string): string | undefined {
  if (lid === undefined) return undefined;
  if (typeof lid !== 'string') throw bodyError('invalid-payload', `${pointer}/lid`, 'A lid must be a string.');
  if (id === undefined || id === null) return lid;
  throw bodyError('invalid-payload', `${pointer}/lid`, 'A lid stands where the id is left out: give one of them.');
}
