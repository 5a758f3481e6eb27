import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import type { Attribute } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError } from './body-error.js';
import { checkValueCount } from './check-value-count.js';
import { collect } from './collect.js';
import { type DocumentScope, isWritable } from './document-scope.js';
import { checkIdAttribute, isIdOnly } from './id-attribute.js';
import { memberPointer } from './json-pointer.js';
import { parseAttributeValue } from './parse-attribute-value.js';
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
  const attribute = findAttribute(name, scope);
  const read = { attribute, value: parseAttributeValue(attribute, value, pointer), pointer };
  checkIdAttribute(read, scope);
  return read;
}

function findAttribute(name: string, scope: DocumentScope): Attribute {
  const { resource } = scope;
  const pointer = memberPointer(POINTER, name);
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
