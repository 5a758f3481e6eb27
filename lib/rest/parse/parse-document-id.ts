import { quote } from '../../errors/quote.js';
import type { Attribute, Resource } from '../../model/surface/surface.js';
import { formatId } from '../../model/values/resource-id.js';
import { isId } from '../projection/readable-members.js';
import { bodyError } from './body-error.js';
import type { DocumentScope } from './document-scope.js';
import { parseIdMember, readIdText } from './parse-identifier.js';
import { resourceId } from './parse-target.js';
import type { JsonObject } from './read-document.js';
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
  // What cannot be an id at all differs from the URL's, too.
  const text = id.lid === undefined && readIdText(data['id'], '/data', context.settings.strict);
  if (text && resourceId(resource, text, context.settings)?.text === id.text) return;
  throw bodyError('id-conflict', '/data/id', `The id differs from the URL's: this is ${resource.type} ${quote(id.text)}.`);
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
