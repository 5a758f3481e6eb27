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
 * Parses the `attributes` of a resource object. Members that begin with `@` are not attributes (MN-05). A member that `meta.serialization`
 * revives as undefined counts as missing.
 *
 * @throws ApiError one problem for each attribute that is unknown, not writable, or has an invalid value; `limit-exceeded` for too many
 *   values in all attributes together
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

/**
 * Whether an attribute can be in `attributes`. In strict mode, foreign keys are relationships only, and the id is the member `id` only.
 */
function isAttributeMember(attribute: Attribute, { resource, context }: DocumentScope): boolean {
  return !context.settings.strict || (attribute.foreignKeyOf.length === 0 && !isIdOnly(resource, attribute));
}

/**
 * Counts the values in scalar lists and Json attributes of a document, before any of them is parsed.
 *
 * @param given attributes by their names
 * @throws ApiError `limit-exceeded`, whose pointer is the first attribute above the limit
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
 * Parses the value of one attribute, in its JSON form or revived by `meta.serialization`. Json values are passed on unchanged, except null,
 * which becomes Prisma's value for JSON null.
 *
 * @throws ApiError `invalid-value`; for a list, its pointer is the invalid element
 */
function parseAttributeValue(attribute: Attribute, value: unknown, pointer: string): unknown {
  if (value === null) return parseNull(attribute, pointer);
  if (!attribute.list) return parseElement(attribute, value, pointer);
  if (!Array.isArray(value)) throw bodyError('invalid-value', pointer, `'${attribute.member}' must be an array.`);
  const items: readonly unknown[] = value;
  return collect(items.entries(), ([index, item]) => parseElement(attribute, item, memberPointer(pointer, index)));
}

/** Parses null. A Json field accepts it as JSON null, even if the column is required. */
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
