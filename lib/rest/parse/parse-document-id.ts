import { ApiError } from '../../errors/api-error.js';
import { quote } from '../../errors/quote.js';
import type { Attribute, Resource } from '../../model/surface/surface.js';
import { readWritten } from '../../model/values/read-written.js';
import { formatId, isDotSegment } from '../../model/values/resource-id.js';
import { isId } from '../projection/readable-members.js';
import { bodyError } from './body-error.js';
import type { DocumentScope } from './document-scope.js';
import { parseIdMember } from './parse-identifier.js';
import type { JsonObject } from './read-document.js';
import type { RestContext } from './rest-context.js';
import type { AttributeValue } from './write-intent.js';

/**
 * Parses the `id` of a resource object. In an update it must equal the URL's (UP-02), and strict mode requires it. In a
 * create the client chooses it, if client ids are allowed (CR-02).
 *
 * @returns the values of the id fields that a create sets
 * @throws ApiError `id-conflict`, `client-id-forbidden`, `invalid-id`, `invalid-payload`
 */
export function parseDocumentId(data: JsonObject, scope: DocumentScope): readonly AttributeValue[] {
  if (scope.kind === 'update') {
    checkId(data, scope);
    return [];
  }
  const { resource, context } = scope;
  const id = parseIdMember(data, '/data', resource, context);
  if (!id) return [];
  if (resource.clientIds === 'forbidden') {
    throw bodyError('client-id-forbidden', '/data/id', `The server makes the ids of ${resource.type}; leave 'id' out.`);
  }
  return resource.identifier.fields.map((attribute) => ({
    attribute,
    value: writtenIdPart(attribute, id.values[attribute.name]),
    pointer: '/data/id',
  }));
}

function writtenIdPart(attribute: Attribute, value: unknown): unknown {
  const reading = readWritten(attribute, value);
  if ('value' in reading) return reading.value;
  throw bodyError('invalid-id', '/data/id', `The id must be ${reading.expected}.`);
}

function checkId(data: JsonObject, { resource, context, id }: Extract<DocumentScope, { readonly kind: 'update' }>): void {
  if (data['id'] === undefined || data['id'] === null) {
    if (!context.settings.strict || id.lid !== undefined) return;
    throw bodyError('invalid-payload', '/data', `The resource object needs the id of its URL, here ${quote(id.text)}.`);
  }
  if (id.lid === undefined && idTextOf(data, resource, context) === id.text) return;
  const isRounded = typeof data['id'] === 'number' && !Number.isSafeInteger(data['id']);
  const remedy = isRounded ? ' JSON may have rounded the number: send it as a string.' : '';
  throw bodyError('id-conflict', '/data/id', `The id differs from the URL's: this is ${resource.type} ${quote(id.text)}.${remedy}`);
}

/** Returns the text of the id in the data; undefined if it cannot be an id of the resource, such as a number that may have been rounded. */
function idTextOf(data: JsonObject, resource: Resource, context: RestContext): string | undefined {
  try {
    return parseIdMember(data, '/data', resource, context)?.text;
  } catch (error) {
    if (error instanceof ApiError && error.problems[0].code === 'invalid-id') return undefined;
    throw error;
  }
}

/**
 * Rejects a client's id that no URL can contain, such as a dot segment.
 *
 * @throws ApiError `invalid-id`
 */
export function requireNameable(attributes: readonly AttributeValue[], scope: DocumentScope): void {
  const { resource, context } = scope;
  const given = attributes.find(({ attribute }) => isIdField(resource, attribute));
  if (!given || (scope.kind === 'update' && scope.id.lid !== undefined)) return;
  const known = scope.kind === 'update' ? scope.id.values : {};
  const values = { ...known, ...Object.fromEntries(attributes.map(({ attribute, value }) => [attribute.name, value])) };
  if (!resource.identifier.fields.every(({ name }) => name in values)) return;
  const text = String(formatId(resource.identifier, values, context.settings.idDivider));
  if (!isDotSegment(text) || (scope.kind === 'update' && text === scope.id.text)) return;
  throw bodyError('invalid-id', given.pointer, `No URL can name a ${resource.type} by the id ${quote(text)}. Choose another one.`);
}

/** Whether an attribute is the id and nothing else, so that documents contain it as the member `id` only. */
export function isIdOnly(resource: Resource, attribute: Attribute): boolean {
  return isIdField(resource, attribute) && isId(resource, attribute);
}

/**
 * Checks an attribute that is a field of the id. The rule of the member `id` applies: without the right to choose ids, a
 * client can neither set an id nor change it. The id that the resource already has is accepted.
 *
 * @throws ApiError `client-id-forbidden`
 */
export function checkIdAttribute({ attribute, value, pointer }: AttributeValue, scope: DocumentScope): void {
  if (!isProtected(attribute, scope) || isUnchanged(attribute, value, scope)) return;
  throw bodyError('client-id-forbidden', pointer, `The server makes the ids of ${scope.resource.type}; leave '${attribute.member}' out.`);
}

/** Whether only the server may set an attribute: a field of the id if client ids are forbidden, or a generated primary key that is not the id. */
function isProtected(attribute: Attribute, { resource }: DocumentScope): boolean {
  if (isIdField(resource, attribute)) return resource.clientIds === 'forbidden';
  return attribute.primaryKey !== 'no' && attribute.generated;
}

function isUnchanged(attribute: Attribute, value: unknown, scope: DocumentScope): boolean {
  return (
    scope.kind === 'update' &&
    scope.id.lid === undefined &&
    attribute.name in scope.id.values &&
    isSameIdPart(attribute, value, scope.id.values[attribute.name])
  );
}

function isIdField({ identifier }: Resource, attribute: Attribute): boolean {
  return identifier.fields.some(({ name }) => name === attribute.name);
}

/** Whether two values of a key field have the same text in ids. Dates are equal by their time, and bytes by their content. */
export function isSameIdPart(attribute: Attribute, left: unknown, right: unknown): boolean {
  const text = (value: unknown): string =>
    String(formatId({ name: attribute.name, fields: [attribute] }, { [attribute.name]: value }, '_'));
  return text(left) === text(right);
}
