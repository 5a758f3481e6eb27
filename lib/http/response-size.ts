import { ApiError } from '../errors/api-error.js';
import { isObject } from '../utils/is-object.js';
import type { ApiReply } from './api-request.js';
import { type WriteBody, bodyWriterOf, writtenReply } from './written-reply.js';

/** Converts the size of a limit to bytes: a number of bytes, or a text such as `'500kb'` with units of 1024, as in body-parser. */
export function bytesOfSize(size: number | string): number {
  if (typeof size === 'number') return size;
  const [, number = '', unit = ''] = /^([\d.]+) *([kmg]?)b?$/i.exec(size) ?? [];
  return Math.floor(Number(number) * (UNITS[unit.toLowerCase()] ?? 1));
}

const UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** A limit of size: in bytes, and as the application has configured it. */
export interface SizeLimit {
  readonly bytes: number;
  readonly given: number | string;
}

/** Parses a limit of size, once at boot. */
export function sizeLimit(given: number | string): SizeLimit {
  return { bytes: bytesOfSize(given), given };
}

/**
 * Serializes a JSON value to bytes, unless they exceed a limit. The size is estimated before the text is created, because V8 cannot create
 * a string of more than about half a gigabyte. The process could also run out of memory first.
 *
 * @param limit that of `limits.maxResponseSize`
 * @throws ApiError `limit-exceeded`
 */
export function toJsonBytes(value: unknown, limit: SizeLimit): Uint8Array {
  if (remainingBytes(value, limit.bytes) < 0) throw tooLarge(limit);
  const bytes = Buffer.from(JSON.stringify(value));
  // The estimate counts one byte per character. Characters that JSON escapes, or that take two to four bytes in UTF-8, take more.
  if (bytes.byteLength > limit.bytes) throw tooLarge(limit);
  return bytes;
}

/** Serialized bodies of replies that have not been sent yet. */
const KEPT = new WeakMap<WriteBody, Uint8Array>();

/**
 * Serializes the body of a reply now, and caches the bytes until it is sent. If an interceptor reads `body` before that, the cache is not
 * used: the value, with the interceptor's changes, is serialized again.
 *
 * @throws ApiError `limit-exceeded`, or what `JSON.stringify` throws
 */
export function cacheBytes(reply: ApiReply, limit: SizeLimit): ApiReply {
  const written = bodyWriterOf(reply);
  if (written === undefined) return keepPlain(reply, limit);
  KEPT.set(written, writtenBytes(written, limit));
  return reply;
}

function keepPlain({ body, ...head }: ApiReply, limit: SizeLimit): ApiReply {
  if (body === undefined || body instanceof Uint8Array) return { ...head, ...(body && { body }) };
  const bytes = toJsonBytes(body, limit);
  return writtenReply(head, () => bytes);
}

/**
 * Returns the body of a reply as bytes. Returns undefined if it has none.
 *
 * @throws ApiError `limit-exceeded`
 */
export function replyBytes(reply: ApiReply, limit: SizeLimit): Uint8Array | undefined {
  const written = bodyWriterOf(reply);
  if (written) return KEPT.get(written) ?? writtenBytes(written, limit);
  const { body } = reply;
  return body === undefined || body instanceof Uint8Array ? body : toJsonBytes(body, limit);
}

function writtenBytes(write: WriteBody, limit: SizeLimit): Uint8Array {
  const bytes = write(limit.bytes);
  if (bytes === undefined) throw tooLarge(limit);
  return bytes;
}

/**
 * Returns how many of `room` bytes remain after the JSON text of a value, with one byte per character as a lower bound. Negative if none
 * remain.
 */
function remainingBytes(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 1;
  if (Array.isArray(value)) return besideItems(value, room);
  return isObject(value) ? besideMembers(value, room) : room - 1;
}

function besideItems(items: readonly unknown[], room: number): number {
  let left = room - 1;
  for (const item of items) {
    if (left < 0) return left;
    left = remainingBytes(item, left) - 1;
  }
  return left;
}

function besideMembers(object: Readonly<Record<string, unknown>>, room: number): number {
  let left = room - 1;
  for (const name in object) {
    if (left < 0) return left;
    if (object[name] !== undefined) left = remainingBytes(object[name], left) - name.length - 4;
  }
  return left;
}

/** Creates the error for a response that exceeds a limit. */
export function tooLarge({ given }: SizeLimit): ApiError {
  return new ApiError('limit-exceeded', `The answer is larger than limits.maxResponseSize allows: ${given}. Ask for fewer rows or fields.`);
}
