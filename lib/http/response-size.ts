import { ApiError } from '../errors/api-error.js';
import { isObject } from '../utils/is-object.js';
import type { ApiReply } from './api-request.js';
import { writtenBody, type WrittenBody, writtenReply } from './written-reply.js';

/** A size as limits have it: bytes, or a text like `'500kb'` with units of 1024, as body-parser reads it. */
export function bytesOfSize(size: number | string): number {
  if (typeof size === 'number') return size;
  const [, number = '', unit = ''] = /^([\d.]+) *([kmg]?)b?$/i.exec(size) ?? [];
  return Math.floor(Number(number) * (UNITS[unit.toLowerCase()] ?? 1));
}

const UNITS: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** A limit of size: its bytes, and how it was given. */
export interface SizeLimit {
  readonly bytes: number;
  readonly given: number | string;
}

/** Reads a limit, once at boot. */
export function sizeLimit(given: number | string): SizeLimit {
  return { bytes: bytesOfSize(given), given };
}

/**
 * The bytes of a JSON value, unless they are more than a limit: that is found out before the text is made, since V8 makes none of more than half
 * a gigabyte, and memory would be gone before.
 *
 * @param limit that of `limits.maxResponseSize`
 * @throws ApiError `limit-exceeded`
 */
export function toJsonBytes(value: unknown, limit: SizeLimit): Uint8Array {
  if (roomBeside(value, limit.bytes) < 0) throw tooLarge(limit);
  const bytes = Buffer.from(JSON.stringify(value));
  // What JSON escapes, and what UTF-8 takes two to four bytes for, was counted as one.
  if (bytes.byteLength > limit.bytes) throw tooLarge(limit);
  return bytes;
}

/** The bytes of written bodies, made before they go out. */
const KEPT = new WeakMap<WrittenBody, Uint8Array>();

/**
 * Makes the bytes of a reply now, and keeps them for when it goes out, unless an interceptor looks at the body until then: what it changes there
 * is made into bytes anew.
 *
 * @throws ApiError `limit-exceeded`, or whatever `JSON.stringify` throws
 */
export function keepBytes(reply: ApiReply, limit: SizeLimit): ApiReply {
  const written = writtenBody(reply);
  if (written === undefined) return keepPlain(reply, limit);
  KEPT.set(written, writtenBytes(written, limit));
  return reply;
}

function keepPlain({ body, ...head }: ApiReply, limit: SizeLimit): ApiReply {
  if (body === undefined || body instanceof Uint8Array) return { ...head, ...(body && { body }) };
  return keepBytes(writtenReply(head, { toJson: () => body }), limit);
}

/** The body of a reply: given as bytes, or as a JSON value. Undefined where it has none. */
export function replyBytes(reply: ApiReply, limit: SizeLimit): Uint8Array | undefined {
  const written = writtenBody(reply);
  if (written) return KEPT.get(written) ?? writtenBytes(written, limit);
  const { body } = reply;
  return body === undefined || body instanceof Uint8Array ? body : toJsonBytes(body, limit);
}

function writtenBytes({ toJson, toBytes }: WrittenBody, limit: SizeLimit): Uint8Array {
  if (!toBytes) return toJsonBytes(toJson(), limit);
  const bytes = toBytes(limit.bytes);
  if (bytes === undefined) throw tooLarge(limit);
  return bytes;
}

/** How much room remains after the text of a value, whose length is a lower bound; negative when none remains. */
function roomBeside(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value !== 'object' || value === null) return room - 1;
  if (Array.isArray(value)) return besideItems(value, room);
  return isObject(value) ? besideMembers(value, room) : room - 1;
}

function besideItems(items: readonly unknown[], room: number): number {
  let left = room - 1;
  for (const item of items) {
    if (left < 0) return left;
    left = roomBeside(item, left) - 1;
  }
  return left;
}

function besideMembers(object: Readonly<Record<string, unknown>>, room: number): number {
  let left = room - 1;
  for (const name in object) {
    if (left < 0) return left;
    if (object[name] !== undefined) left = roomBeside(object[name], left) - name.length - 4;
  }
  return left;
}

/** The error of an answer beyond a limit. */
export function tooLarge({ given }: SizeLimit): ApiError {
  return new ApiError('limit-exceeded', `The answer is larger than limits.maxResponseSize allows: ${given}. Ask for fewer rows or fields.`);
}
