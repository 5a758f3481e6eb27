import type { Attribute, Resource } from '../../model/surface/surface.js';
import { bodyError } from './body-error.js';
import type { DocumentScope } from './document-scope.js';
import { isSameIdPart } from './is-same-id-part.js';
import { isId } from '../projection/readable-members.js';
import type { AttributeValue } from './write-intent.js';

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
