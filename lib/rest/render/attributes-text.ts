import { checkComputed } from '../../wire/check-computed.js';
import { encodeScalar } from '../../wire/encode-scalar.js';
import { jsonString } from '../../wire/json-text.js';
import { isReservedKey } from '../../wire/path.js';
import { annotationOfTyped } from '../../wire/wire-text.js';
import type { ProjectedAttribute } from '../projection/projection.js';
import type { Row } from '../projection/row.js';

/** Where it is noted which values JSON has no form for. */
export interface Notes {
  note(place: string, note: string): void;
}

/** For texts that say nothing of the types of their values. */
export const NO_NOTES: Notes = { note: () => undefined };

/** The member `attributes` of a resource object as JSON text, with the comma before it; empty without attributes. */
export function attributesText(row: Row, attributes: readonly ProjectedAttribute[], place: string, notes: Notes): string {
  if (attributes.length === 0) return '';
  let members = '';
  for (const projected of attributes) {
    const { attribute, first, next, note, textOf } = projected;
    const value = row[attribute.name];
    if (attribute.computed) checkComputed(attribute, value);
    let text = value === null ? 'null' : textOf(value);
    if (text === undefined) text = otherText(value, projected, `${place}.attributes.${attribute.member}`, notes);
    else if (note !== '' && value !== null) notes.note(`"${place}`, note);
    if (text !== undefined) members += (members === '' ? first : next) + text;
  }
  return `,"attributes":{${members}}`;
}

/** The value of an attribute as JSON text; undefined where there is none. */
export function attributeText(row: Row, projected: ProjectedAttribute): string | undefined {
  const { attribute, textOf } = projected;
  const value = row[attribute.name];
  if (attribute.computed) checkComputed(attribute, value);
  return value === null ? undefined : (textOf(value) ?? otherText(value, projected, '', NO_NOTES));
}

/** A value that is not the usual one of its type: a list, a number that JSON lacks, or whatever an extension of the data client has made of it. */
function otherText(value: unknown, projected: ProjectedAttribute, path: string, notes: Notes): string | undefined {
  const { attribute, textOf } = projected;
  if (attribute.type === 'Json') return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return `[${items.map((item, index) => otherText(item, projected, `${path}.${index}`, notes) ?? 'null').join()}]`;
  }
  if (value === undefined) return undefined;
  const annotation = annotationOfTyped(attribute.type, value);
  if (annotation && !isReservedKey(attribute.member)) notes.note(jsonString(path), `:${JSON.stringify(annotation)}`);
  return textOf(value) ?? JSON.stringify(encodeScalar(value, 'base64'));
}
