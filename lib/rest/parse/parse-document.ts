import { quote } from '../../errors/quote.js';
import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError, memberPointer } from './body-error.js';
import { collect, collectAll } from './collect.js';
import { type DocumentScope, type DocumentWrite, isWritable } from './document-scope.js';
import { parseAttributes } from './parse-attributes.js';
import { isIdOnly, isSameIdPart, parseDocumentId, requireNameable } from './parse-document-id.js';
import { parseRelationships } from './parse-linkage.js';
import { parseMatch, requireMatchValues } from './parse-match.js';
import type { CollectionTarget, ResourceTarget } from './target.js';
import { type JsonObject, readDocument } from './read-document.js';
import type { RestContext } from './rest-context.js';
import type { AttributeValue, ResourceContent, ResourceIntent } from './write-intent.js';

/**
 * Parses the body of a create (`POST /:type`), an upsert (the same with `meta.operation`), or an update (`PATCH /:type/:id`).
 *
 * The error lists all faults, each with a pointer. Members that JSON:API does not define, and those that begin with `@`, are ignored
 * (DS-06, MN-05).
 *
 * @param body - the JSON value as received; its `meta.serialization` is applied here
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

/**
 * Requires a resource object of the resource's type.
 *
 * @throws ApiError without checking other members, because a document of another type has no valid ones
 */
function readResourceObject(data: unknown, resource: Resource): JsonObject {
  if (!isPlainObject(data)) throw bodyError('invalid-payload', '/data', 'The data must be one resource object.');
  const { type } = data;
  if (type === undefined) throw bodyError('invalid-payload', '/data', `The resource object needs a type, here '${resource.type}'.`);
  if (typeof type !== 'string') throw bodyError('invalid-payload', '/data/type', 'The type must be a string.');
  if (type.toLowerCase() === resource.type.toLowerCase()) return data;
  throw bodyError('type-conflict', '/data/type', `This URL takes resources of type '${resource.type}', not ${quote(type)}.`);
}

/** Parses the members of a resource object. The error lists the faults of all members. */
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
 * Rejects a foreign key attribute together with its relationship, because both set the same columns. A field that is in the
 * foreign keys of several relationships is allowed beside them.
 */
function checkForeignKeys({ attributes, relationships }: JsonObject, { resource }: DocumentScope): void {
  if (!isPlainObject(attributes) || !isPlainObject(relationships)) return;
  const keys = resource.attributes.filter(({ member, foreignKeyOf }) => foreignKeyOf.length === 1 && Object.hasOwn(attributes, member));
  collect(keys, ({ member, foreignKeyOf }) => {
    const relationship = resource.relationships.find((one) => foreignKeyOf.includes(one.name) && Object.hasOwn(relationships, one.member));
    if (!relationship) return;
    const detail = `'${member}' is the foreign key of '${relationship.member}', which is given too. Give one of them.`;
    throw bodyError('invalid-payload', memberPointer('/data/attributes', member), detail);
  });
}

/**
 * Merges the id with attributes that are fields of the id.
 *
 * @throws ApiError `invalid-payload` if they differ
 */
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

/**
 * Checks that a create has every attribute without a default or server value: a foreign key directly or by its relationship, and the id
 * unless the server generates it.
 *
 * @throws ApiError `invalid-payload`, one problem for each missing member, whose pointer is the member's parent
 */
function checkRequired(data: JsonObject, scope: DocumentScope): void {
  if (scope.kind === 'update' || scope.context.isOutline) return;
  const isGiven = givenIn(data, scope.resource);
  const missing = scope.resource.required.inDocument.filter((attribute) => !isGiven(attribute));
  // Keyed by the error text, so that a compound foreign key is reported once.
  const problems = new Map(missing.map((attribute) => describeMissingValue(attribute, scope)));
  collect(problems, ([detail, parent]) => {
    throw bodyError('invalid-payload', isPlainObject(data[parent]) ? `/data/${parent}` : '/data', detail);
  });
}

/** Whether the document sets an attribute: directly, as a part of the id, or by a relationship whose foreign key contains it. */
function givenIn(data: JsonObject, { relationships, identifier }: Resource): (attribute: Attribute) => boolean {
  const isLinked = (name: string): boolean =>
    relationships.some((one) => one.name === name && hasMember(data['relationships'], one.member));
  return ({ name, member, foreignKeyOf }) => {
    if (hasMember(data['attributes'], member) || foreignKeyOf.some(isLinked)) return true;
    return hasId(data) && identifier.fields.some((field) => field.name === name);
  };
}

function hasId({ id }: JsonObject): boolean {
  return id !== undefined && id !== null;
}

function hasMember(members: unknown, name: string): boolean {
  return isPlainObject(members) && Object.hasOwn(members, name) && members[name] !== undefined;
}

function describeMissingValue(
  attribute: Attribute,
  scope: DocumentScope,
): readonly [detail: string, parent: 'attributes' | 'relationships' | 'id'] {
  const { resource, context } = scope;
  const relationship = relationshipOf(attribute, scope);
  if (relationship) {
    const key = context.settings.strict ? '' : `, or its foreign key '${attribute.member}'`;
    return [`${resource.type} needs the relationship '${relationship.member}'${key}.`, 'relationships'];
  }
  if (isIdOnly(resource, attribute)) return [`${resource.type} needs an id, which the client chooses.`, 'id'];
  return [`${resource.type} needs the attribute '${attribute.member}'.`, 'attributes'];
}

function relationshipOf({ foreignKeyOf }: Attribute, scope: DocumentScope): Relationship | undefined {
  return scope.resource.relationships.find((one) => foreignKeyOf.includes(one.name) && isWritable(one, scope));
}
