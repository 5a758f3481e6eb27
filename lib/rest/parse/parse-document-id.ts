import { ApiError } from '../../errors/api-error.js';
import { quote } from '../../errors/quote.js';
import type { Attribute, Resource } from '../../model/surface/surface.js';
import { formatId, isDotSegment } from '../../model/values/resource-id.js';
import { isId } from '../projection/readable-members.js';
import { bodyError } from './body-error.js';
import type { DocumentScope } from './document-scope.js';
import { parseIdMember } from './parse-identifier.js';
import type { JsonObject } from './read-document.js';
import type { RestContext } from './rest-context.js';
import type { AttributeValue } from './write-intent.js';

/**
 * Reads the `id` of a resource object. In an update it must be the URL's (UP-02), and in strict mode be there (decision D17); in a create it
 * is the client's choice, where that is allowed (CR-02, decision D18).
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
  return resource.identifier.fields.map((attribute) => ({ attribute, value: id.values[attribute.name], pointer: '/data/id' }));
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

/** The text of the id that the data give; undefined for what cannot be an id of the resource, as a number that may have been rounded. */
function idTextOf(data: JsonObject, resource: Resource, context: RestContext): string | undefined {
  try {
    return parseIdMember(data, '/data', resource, context)?.text;
  } catch (error) {
    if (error instanceof ApiError && error.problems[0].code === 'invalid-id') return undefined;
    throw error;
  }
}

/**
 * Refuses an id that no URL can have, where a client chooses it.
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

/** Whether an attribute is the id and nothing else, so that documents show it as the member `id` only. */
export function isIdOnly(resource: Resource, attribute: Attribute): boolean {
  return isIdField(resource, attribute) && isId(resource, attribute);
}

/**
 * An id may also come as the attribute named like its field (decision D18), under the same rule as the member `id`: a client that must not
 * choose ids can neither create one nor change it. Giving a resource the id that it has changes nothing.
 *
 * @throws ApiError `client-id-forbidden`
 */
export function checkIdAttribute({ attribute, value, pointer }: AttributeValue, scope: DocumentScope): void {
  if (!isProtected(attribute, scope) || isUnchanged(attribute, value, scope)) return;
  throw bodyError('client-id-forbidden', pointer, `The server makes the ids of ${scope.resource.type}; leave '${attribute.member}' out.`);
}

/** The primary key is made by the server as well where another key serves as the id. */
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

/** Whether two values of a key field are the same as ids are written: dates by their time, bytes by their content. */
export function isSameIdPart(attribute: Attribute, left: unknown, right: unknown): boolean {
  const text = (value: unknown): string =>
    String(formatId({ name: attribute.name, fields: [attribute] }, { [attribute.name]: value }, '_'));
  return text(left) === text(right);
}
