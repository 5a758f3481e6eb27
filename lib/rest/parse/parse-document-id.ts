import { ApiError } from '../../errors/api-error.js';
import { quote } from '../../errors/quote.js';
import { bodyError } from './body-error.js';
import type { DocumentScope, ResourceObject } from './document-scope.js';
import { parseIdMember } from './parse-id-member.js';
import type { ResourceId } from './parse-target.js';
import type { AttributeValue } from './write-intent.js';

/**
 * Reads the `id` of a resource object. In an update it must be the URL's (UP-02), and in strict mode be there (decision D17); in a create it
 * is the client's choice, where that is allowed (CR-02, decision D18).
 *
 * @returns the values of the id fields that a create sets
 * @throws ApiError `id-conflict`, `client-id-forbidden`, `invalid-id`, `invalid-payload`
 */
export function parseDocumentId(data: ResourceObject, scope: DocumentScope): readonly AttributeValue[] {
  if (scope.kind === 'update') {
    checkId(data, scope);
    return [];
  }
  const { resource, context } = scope;
  const id = parseIdMember({ object: data, pointer: '/data', resource }, context);
  if (!id) return [];
  if (resource.clientIds === 'forbidden') {
    throw bodyError('client-id-forbidden', '/data/id', `The server makes the ids of ${resource.type}; leave 'id' out.`);
  }
  return resource.identifier.fields.map((attribute) => ({ attribute, value: id.values[attribute.name], pointer: '/data/id' }));
}

type UpdateScope = Extract<DocumentScope, { readonly kind: 'update' }>;

function checkId(data: ResourceObject, scope: UpdateScope): void {
  const { resource, context, id } = scope;
  if (data['id'] === undefined || data['id'] === null) {
    if (!context.settings.strict || id.lid !== undefined) return;
    throw bodyError('invalid-payload', '/data', `The resource object needs the id of its URL, here ${quote(id.text)}.`);
  }
  if (id.lid === undefined && givenId(data, scope)?.text === id.text) return;
  throw bodyError('id-conflict', '/data/id', `The id differs from the URL's: this is ${resource.type} ${quote(id.text)}.`);
}

/** What cannot be an id at all differs from the URL's, too. */
function givenId(data: ResourceObject, { resource, context }: UpdateScope): ResourceId | undefined {
  try {
    return parseIdMember({ object: data, pointer: '/data', resource }, context);
  } catch (error) {
    if (error instanceof ApiError && error.problems[0].code === 'invalid-id') return undefined;
    throw error;
  }
}
