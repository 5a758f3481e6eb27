import type { Attribute, UniqueKey } from '../surface/surface.js';
import { joinIdParts, splitIdParts } from '../../utils/id-parts.js';
import { readText } from './scalar-types.js';

/**
 * Formats the id of a row: a number for a single Int or Float key, otherwise a string. The parts of a compound key are joined
 * by the divider. Inside a part, a backslash escapes backslashes and the characters of the divider.
 *
 * @example
 * formatId(userKey, { id: 1 }, '_');                             // 1
 * formatId(memberKey, { team: 'a_b', userId: 7 }, '_');          // 'a\\_b_7'
 */
export function formatId(key: UniqueKey, row: Readonly<Record<string, unknown>>, divider: string): string | number {
  const [first] = key.fields;
  if (first !== undefined && key.fields.length === 1) return formatSingle(first, row[first.name]);
  return joinIdParts(
    key.fields.map((field) => formatPart(row[field.name])),
    divider,
  );
}

/**
 * Parses an id into the values of the key's fields by Prisma's names; returns undefined for a text that is not an id of this key. It is the
 * exact inverse of {@link formatId}.
 */
export function parseId(key: UniqueKey, text: string, divider: string): Readonly<Record<string, unknown>> | undefined {
  const parts = key.fields.length === 1 ? [text] : splitIdParts(text, divider);
  if (parts?.length !== key.fields.length) return undefined;
  const values: Record<string, unknown> = {};
  for (const [index, field] of key.fields.entries()) {
    const reading = readText(field, parts[index] ?? '');
    if (!('value' in reading)) return undefined;
    values[field.name] = reading.value;
  }
  return values;
}

/** Whether URL parsers would remove a text as the last segment (WHATWG URL, dot segments). Encoding does not help, because `%2E` counts as a dot. */
export function isDotSegment(text: string): boolean {
  return text === '' || text === '.' || text === '..';
}

/**
 * Returns an id as a path segment, before percent-encoding. An id that URLs cannot contain gets a backslash, and so does an id of the same
 * form with backslashes.
 */
export function segmentOfId(text: string): string {
  return ESCAPED_DOTS.test(text) ? `\\${text}` : text;
}

/** Returns the id in a path segment: the inverse of {@link segmentOfId}. */
export function idOfSegment(segment: string): string {
  return segment.startsWith('\\') && ESCAPED_DOTS.test(segment) ? segment.slice(1) : segment;
}

const ESCAPED_DOTS = /^\\*\.{0,2}$/;

/** Returns the `where` for one record by a key: `{ id: 1 }`, or `{ a_b: { a: 1, b: 2 } }` for a compound key. */
export function uniqueWhere(key: UniqueKey, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [first, ...others] = key.fields;
  if (first !== undefined && others.length === 0) return { [first.name]: values[first.name] };
  return { [key.name]: Object.fromEntries(key.fields.map(({ name }) => [name, values[name]])) };
}

function formatSingle(field: Attribute, value: unknown): string | number {
  const isNative = (field.type === 'Int' || field.type === 'Float') && typeof value === 'number';
  return isNative ? value : formatPart(value);
}

function formatPart(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  return String(value);
}
