import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError } from './body-error.js';
import { checkRequired } from './check-required.js';
import { collect, collectAll } from './collect.js';
import type { DocumentScope, ResourceObject } from './document-scope.js';
import { isSameIdPart } from './is-same-id-part.js';
import { memberPointer } from './json-pointer.js';
import { parseAttributes } from './parse-attributes.js';
import { parseDocumentId } from './parse-document-id.js';
import { parseRelationships } from './parse-relationships.js';
import type { AttributeValue, ResourceContent } from './write-intent.js';

/**
 * Reads the members of a resource object, and tells all that is wrong in any of them.
 *
 * @throws ApiError
 */
export function parseContent(data: ResourceObject, scope: DocumentScope): ResourceContent {
  const { id, attributes, linkages } = collectAll({
    id: () => parseDocumentId(data, scope),
    attributes: () => parseAttributes(data['attributes'], scope),
    linkages: () => parseRelationships(data['relationships'], scope),
    foreignKeys: () => {
      checkForeignKeys(data, scope);
    },
    required: () => {
      checkRequired(data, scope);
    },
  });
  return { attributes: mergeId(id, attributes), linkages };
}

/**
 * A foreign key and its relationship are one thing, which a body says once (decision D6). A field that several relationships share may be
 * given beside them.
 */
function checkForeignKeys({ attributes, relationships }: ResourceObject, { resource }: DocumentScope): void {
  if (!isPlainObject(attributes) || !isPlainObject(relationships)) return;
  const named = resource.relationships.filter(({ member }) => Object.hasOwn(relationships, member));
  const keys = resource.attributes.filter(({ member, foreignKeyOf }) => foreignKeyOf.length === 1 && Object.hasOwn(attributes, member));
  collect(keys, ({ member, foreignKeyOf }) => {
    const relationship = named.find(({ name }) => foreignKeyOf.includes(name));
    if (!relationship) return;
    const detail = `'${member}' is the foreign key of '${relationship.member}', which is given too. Give one of them.`;
    throw bodyError('invalid-payload', memberPointer('/data/attributes', member), detail);
  });
}

/** The id, and what is given of it as attributes, must agree. */
function mergeId(id: readonly AttributeValue[], attributes: readonly AttributeValue[]): AttributeValue[] {
  const others = attributes.filter(({ attribute, value, pointer }) => {
    const same = id.find((part) => part.attribute.name === attribute.name);
    if (!same) return true;
    if (isSameIdPart(attribute, same.value, value)) return false;
    const detail = `'${attribute.member}' and the member 'id' differ. Give one of them.`;
    throw bodyError('invalid-payload', pointer, detail);
  });
  return [...id, ...others];
}
