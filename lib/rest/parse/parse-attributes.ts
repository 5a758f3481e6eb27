import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import type { Attribute } from '../../model/surface/surface.js';
import { nullForJson } from '../../model/values/json-value.js';
import { readWritten } from '../../model/values/read-written.js';
import { countNodes } from '../../wire/count-nodes.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError, memberPointer } from './body-error.js';
import { collect } from './collect.js';
import { type DocumentScope, isWritable } from './document-scope.js';
import { checkIdAttribute, isIdOnly } from './parse-document-id.js';
import type { AttributeValue } from './write-intent.js';

/**
 * Reads the `attributes` of a resource object. Members that begin with `@` are not attributes (MN-05), and one that its metadata revives as
 * undefined was not given.
 *
 * @throws ApiError one problem for each attribute that is unknown, closed, or has no value of its type; `limit-exceeded` for too many values
 *   in all of them
 */
export function parseAttributes(attributes: unknown, scope: DocumentScope): AttributeValue[] {
  if (attributes === undefined) return [];
  if (!isPlainObject(attributes)) throw bodyError('invalid-payload', POINTER, 'The attributes must be an object.');
  const given = Object.entries(attributes).filter(([name, value]) => !name.startsWith('@') && value !== undefined);
  checkValueCount(given, scope);
  return collect(given, ([name, value]) => parseAttribute(name, value, scope));
}

const POINTER = '/data/attributes';

function parseAttribute(name: string, value: unknown, scope: DocumentScope): AttributeValue {
  const pointer = memberPointer(POINTER, name);
  const attribute = findAttribute(name, pointer, scope);
  const read = { attribute, value: parseAttributeValue(attribute, value, pointer), pointer };
  checkIdAttribute(read, scope);
  return read;
}

function findAttribute(name: string, pointer: string, scope: DocumentScope): Attribute {
  const { resource } = scope;
  const field = resource.members.get(name);
  if (field?.kind === 'relationship') {
    throw bodyError('invalid-payload', pointer, `'${name}' is a relationship: give it under 'relationships'.`);
  }
  if (!field || !isAttributeMember(field, scope)) {
    const known = resource.attributes.filter((one) => isAttributeMember(one, scope) && isWritable(one, scope)).map(({ member }) => member);
    throw bodyError('invalid-payload', pointer, `${resource.type} has no attribute ${quote(name)}.${didYouMean(name, known)}`);
  }
  if (!isWritable(field, scope)) throw bodyError('invalid-payload', pointer, `The attribute '${name}' cannot be set here.`);
  return field;
}

/** In strict mode foreign keys stand as relationships only, and the id as the member `id` only (decisions D6, D18). */
function isAttributeMember(attribute: Attribute, { resource, context }: DocumentScope): boolean {
  return !context.settings.strict || (attribute.foreignKeyOf.length === 0 && !isIdOnly(resource, attribute));
}

/**
 * Counts what the scalar lists and Json attributes of a document hold, before any of it is read.
 *
 * @param given attributes by their names
 * @throws ApiError `limit-exceeded`, at the first attribute that is too much
 */
function checkValueCount(given: readonly (readonly [name: string, value: unknown])[], { resource, context }: DocumentScope): void {
  const { maxValues } = context.limits;
  let count = 0;
  for (const [name, value] of given) {
    const field = resource.members.get(name);
    if (field?.kind !== 'attribute' || !(field.list || field.type === 'Json')) continue;
    count += countNodes(value, maxValues - count);
    if (count <= maxValues) continue;
    const detail = `The lists and Json values of a document hold at most ${maxValues} values together (limits.maxValues).`;
    throw bodyError('limit-exceeded', memberPointer(POINTER, name), detail);
  }
}

/**
 * Reads the value of one attribute from a body, in its JSON form or already revived by serialization metadata. Json values pass as they are;
 * null is the data client's own value for it.
 *
 * @throws ApiError `invalid-value`, for a list at the element that is none
 */
function parseAttributeValue(attribute: Attribute, value: unknown, pointer: string): unknown {
  if (value === null) return parseNull(attribute, pointer);
  if (!attribute.list) return parseElement(attribute, value, pointer);
  if (!Array.isArray(value)) throw bodyError('invalid-value', pointer, `'${attribute.member}' must be an array.`);
  const items: readonly unknown[] = value;
  return collect(items.entries(), ([index, item]) => parseElement(attribute, item, memberPointer(pointer, index)));
}

/** A Json field has a null of its own. */
function parseNull(attribute: Attribute, pointer: string): unknown {
  const { member, optional, list, type } = attribute;
  if (!list && type === 'Json') return nullForJson(attribute);
  if (!list && optional) return null;
  throw bodyError('invalid-value', pointer, `'${member}' must not be null.`);
}

function parseElement(attribute: Attribute, value: unknown, pointer: string): unknown {
  const reading = readWritten(attribute, value);
  if ('value' in reading) return reading.value;
  const subject = attribute.list ? `An element of '${attribute.member}'` : `'${attribute.member}'`;
  throw bodyError('invalid-value', pointer, `${subject} must be ${reading.expected}.`);
}
