import type { Resource } from '../../model/surface/surface.js';
import { formatId } from '../../model/values/resource-id.js';
import type { Row } from '../../query/result.js';
import { checkComputedValue } from '../../wire/check-computed.js';
import { encodeScalar } from '../../wire/encode-scalar.js';
import { jsonString } from '../../wire/scalar-text.js';
import { isReservedKey } from '../../wire/path.js';
import { requireReadable } from '../../wire/require-readable.js';
import { rowHash } from '../../wire/row-hash.js';
import { annotationOfTyped } from '../../wire/wire-text.js';
import type { ProjectedAttribute } from '../projection/projection.js';
import type { RestSettings } from '../../options/rest-settings.js';

/** Receives the types of values that JSON lacks, for `meta.serialization`. */
export interface Notes {
  /**
   * Adds an entry.
   *
   * @param place JSON path of the value, or of its resource, without the opening quote
   */
  note(place: string, note: string): void;
}

/** Discards all notes, for exports, which have no `meta.serialization`. */
export const NO_NOTES: Notes = { note: () => undefined };

/** Returns the member `attributes` of a resource object as JSON text, with the comma before it; empty without attributes. */
export function attributesText(row: Row, attributes: readonly ProjectedAttribute[], place: string, notes: Notes): string {
  if (attributes.length === 0) return '';
  let members = '';
  for (const projected of attributes) {
    const text = notedText(row, projected, place, notes);
    if (text === undefined) continue;
    members = members === '' ? `,"attributes":{${projected.first}${text}` : `${members}${projected.next}${text}`;
  }
  return members === '' ? ',"attributes":{}' : `${members}}`;
}

function notedText(row: Row, projected: ProjectedAttribute, place: string, notes: Notes): string | undefined {
  const { attribute, note, textOf } = projected;
  const value = row[attribute.name];
  if (attribute.computed) checkComputedValue(attribute, value);
  if (value === null) return 'null';
  const text = textOf(value);
  if (text === undefined) {
    requireReadable(row, attribute, projected.key);
    return otherText(value, projected, `${place}.attributes.${attribute.member}`, notes);
  }
  if (note !== '') notes.note(place, note);
  return text;
}

/** Returns the value of an attribute as JSON text; undefined for null and for a missing value. */
export function attributeText(row: Row, projected: ProjectedAttribute): string | undefined {
  const text = notedText(row, projected, '', NO_NOTES);
  return row[projected.attribute.name] === null ? undefined : text;
}

/**
 * Returns the JSON text of a value that the fast path of its type does not cover: a list, `NaN`, or what a data client's extension has
 * returned.
 */
function otherText(value: unknown, projected: ProjectedAttribute, path: string, notes: Notes): string | undefined {
  const { attribute, textOf } = projected;
  if (attribute.type === 'Json') return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return `[${items.map((item, index) => otherText(item, projected, `${path}.${index}`, notes) ?? 'null').join()}]`;
  }
  if (value === undefined) return undefined;
  const annotation = annotationOfTyped(attribute.type, value);
  if (annotation && !isReservedKey(attribute.member)) notes.note(jsonString(path).slice(1), `:${JSON.stringify(annotation)}`);
  return textOf(value) ?? JSON.stringify(encodeScalar(value, 'base64'));
}

/** Returns the id of a row: a number for a single Int or Float key, a string otherwise. In strict mode it is always a string. */
export function idOf(
  row: Row,
  { identifier }: Resource,
  { idDivider, strict }: Pick<RestSettings, 'idDivider' | 'strict'>,
): string | number {
  const id = formatId(identifier, row, idDivider);
  return strict ? String(id) : id;
}

/** Returns an id as JSON text. */
export function idText(id: string | number): string {
  if (typeof id === 'string') return jsonString(id);
  return Number.isFinite(id) ? String(id) : 'null';
}

/**
 * Returns the identifier of a row as JSON text without its closing brace, so that members can be appended.
 *
 * @param open the text before the id
 */
export function openIdentifier(row: Row, resource: Resource, open: string, settings: RestSettings): string {
  return open + idText(idOf(row, resource, settings));
}

/** Returns the identifier of a row as JSON text. */
export function identifierText(row: Row, resource: Resource, open: string, settings: RestSettings): string {
  return `${openIdentifier(row, resource, open, settings)}}`;
}

/** Returns the version of a row, as ETags contain it; undefined if the resource has no version or the row does not hold it. */
export function versionOf(row: Row | undefined, { version }: Pick<Resource, 'version'>): { readonly version: string } | undefined {
  if (!version || !row) return undefined;
  if (version.hashed) {
    const hash = rowHash(row, version.hashed);
    return hash === undefined ? undefined : { version: hash };
  }
  const value = row[version.field];
  // The SQL executor returns a BigInt as text.
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string' ? { version: String(value) } : undefined;
}

/** Returns the member `meta` of a resource object as JSON text, with the comma before it; empty without version and cursor. */
export function metaText(row: Row, resource: Resource, cursor: string | undefined): string {
  if (!resource.version && cursor === undefined) return '';
  const version = versionOf(row, resource);
  const etag = version ? [`"etag":${JSON.stringify(`"${version.version}"`)}`] : [];
  const page = cursor === undefined ? [] : [`"page":{"cursor":"${cursor}"}`];
  return etag.length + page.length > 0 ? `,"meta":{${[...etag, ...page].join()}}` : '';
}
