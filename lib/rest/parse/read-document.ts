import { decode } from '../../wire/decode.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError } from './body-error.js';

/** A JSON object of a request body. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The top-level members of a request document that REST reads. */
interface RequestDocument {
  /** The primary data; never undefined. */
  readonly data: unknown;
  readonly meta: JsonObject;
}

/**
 * Reads the top level of a body and applies `meta.serialization`, whose paths begin at the document's root (specification, 4.1.2).
 *
 * @throws ApiError `invalid-payload`
 */
export function readDocument(body: unknown): RequestDocument {
  const document = readBody(body);
  if (document['data'] === undefined) throw bodyError('invalid-payload', '', "The body needs the member 'data'.");
  return { data: document['data'], meta: readMeta(document) };
}

/**
 * Returns the members of a body, with `meta.serialization` applied.
 *
 * @throws ApiError `invalid-payload`
 */
export function readBody(json: unknown): JsonObject {
  const body = requireObject(json, '');
  const decoded = decode(body, readMeta(body)['serialization']);
  if ('fault' in decoded) throw bodyError('invalid-payload', '/meta/serialization', decoded.fault);
  return requireObject(decoded.value, '/meta/serialization');
}

function readMeta({ meta }: JsonObject): JsonObject {
  return meta === undefined ? {} : requireObject(meta, '/meta');
}

function requireObject(value: unknown, pointer: string): JsonObject {
  if (isPlainObject(value)) return value;
  throw bodyError('invalid-payload', pointer, `${pointer === '' ? 'The body' : "The member 'meta'"} must be a JSON object.`);
}
