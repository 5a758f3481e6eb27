import { quote } from '../../errors/quote.js';
import type { Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError, memberPointer } from './body-error.js';
import { checkRequired } from './check-required.js';
import { collect, collectAll } from './collect.js';
import type { DocumentScope, DocumentWrite } from './document-scope.js';
import { parseAttributes } from './parse-attributes.js';
import { isSameIdPart, parseDocumentId, requireNameable } from './parse-document-id.js';
import { parseRelationships } from './parse-linkage.js';
import { parseMatch, requireMatchValues } from './parse-match.js';
import type { CollectionTarget, ResourceTarget } from './target.js';
import { type JsonObject, readDocument } from './read-document.js';
import type { RestContext } from './rest-context.js';
import type { AttributeValue, ResourceContent, ResourceIntent } from './write-intent.js';

/**
 * Reads the body of a create (`POST /:type`), an upsert (the same with `meta.operation`), or an update (`PATCH /:type/:id`).
 *
 * Everything that is wrong is told at once, each thing with a pointer to its place. Members that JSON:API does not define, and those that
 * begin with `@`, are ignored (DS-06, MN-05).
 *
 * @param body - the JSON value as it came; its `meta.serialization` is applied here
 * @throws ApiError
 */
export function parseDocument(target: CollectionTarget | ResourceTarget, body: unknown, context: RestContext): ResourceIntent {
  const document = readDocument(body);
  const write = writeOf(target, document.meta);
  const content = parseContent(readResourceObject(document.data, write.resource), { context, ...write });
  if (write.kind === 'upsert') requireMatchValues(write.match, content);
  return { content, ...write };
}

function writeOf(target: CollectionTarget | ResourceTarget, meta: JsonObject): DocumentWrite {
  const { resource } = target;
  if (target.kind === 'resource') return { kind: 'update', resource, id: target.id };
  const match = parseMatch(meta, resource);
  return match ? { kind: 'upsert', resource, match } : { kind: 'create', resource };
}

/** @throws ApiError at once: in a document of another type nothing else is worth reading */
function readResourceObject(data: unknown, resource: Resource): JsonObject {
  if (!isPlainObject(data)) throw bodyError('invalid-payload', '/data', 'The data must be one resource object.');
  const { type } = data;
  if (type === undefined) throw bodyError('invalid-payload', '/data', `The resource object needs a type, here '${resource.type}'.`);
  if (typeof type !== 'string') throw bodyError('invalid-payload', '/data/type', 'The type must be a string.');
  if (type.toLowerCase() === resource.type.toLowerCase()) return data;
  throw bodyError('type-conflict', '/data/type', `This URL takes resources of type '${resource.type}', not ${quote(type)}.`);
}

/** Reads the members of a resource object, and tells all that is wrong in any of them. */
function parseContent(data: JsonObject, scope: DocumentScope): ResourceContent {
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
  const merged = mergeId(id, attributes);
  requireNameable(merged, scope);
  return { attributes: merged, linkages };
}

/**
 * A foreign key and its relationship are one thing, which a body says once (decision D6). A field that several relationships share may be
 * given beside them.
 */
function checkForeignKeys({ attributes, relationships }: JsonObject, { resource }: DocumentScope): void {
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
