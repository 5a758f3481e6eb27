import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import type { Relationship } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError, memberPointer } from './body-error.js';
import { collect } from './collect.js';
import { type DocumentScope, isWritable } from './document-scope.js';
import { parseIdentifier } from './parse-identifier.js';
import type { RelationshipTarget } from './target.js';
import { readDocument } from './read-document.js';
import type { RestContext } from './rest-context.js';
import type { Linkage, LinkedRecord } from './write-intent.js';

/**
 * Parses resource linkage, the `data` of a relationship: an identifier or null for to-one, an array of identifiers for to-many. Repeated
 * identifiers count once (JSON:API 1.1, resource linkage).
 *
 * @throws ApiError `invalid-relation-data` for another shape, `limit-exceeded`, and as {@link parseIdentifier}
 */
export function parseLinkage(relationship: Relationship, data: unknown, pointer: string, context: RestContext): Linkage {
  const { member, many, target } = relationship;
  if (!many) {
    if (Array.isArray(data))
      throw bodyError('invalid-relation-data', pointer, `'${member}' is to-one: it takes one resource identifier or null.`);
    return { relationship, pointer, records: data === null ? [] : [parseIdentifier(data, pointer, target, context)] };
  }
  if (!Array.isArray(data))
    throw bodyError('invalid-relation-data', pointer, `'${member}' is to-many: it takes an array of resource identifiers.`);
  const items: readonly unknown[] = data;
  const { maxBatchSize } = context.limits;
  if (items.length > maxBatchSize) {
    const detail = `A relationship takes at most ${maxBatchSize} members in one request (limits.maxBatchSize).`;
    throw bodyError('limit-exceeded', pointer, detail);
  }
  const records = collect(items.entries(), ([index, value]) => parseIdentifier(value, memberPointer(pointer, index), target, context));
  return { relationship, pointer, records: [...new Map(records.map((record) => [serializeRecord(record), record])).values()] };
}

/** Returns a key for the record of an identifier. An id and a local id with the same text name different records. */
function serializeRecord({ id: { text, lid } }: LinkedRecord): string {
  return lid === undefined ? `id ${text}` : `lid ${lid}`;
}

/**
 * Parses the body of a request to a relationship's URL: its `data` is resource linkage.
 *
 * @throws ApiError as {@link parseLinkage}; `invalid-payload` for a body that is not a document; `forbidden` for clearing a required
 *   relationship (RE-11)
 */
export function parseLinkageDocument({ relationship, resource }: RelationshipTarget, body: unknown, context: RestContext): Linkage {
  const linkage = parseLinkage(relationship, readDocument(body).data, '/data', context);
  if (relationship.many || relationship.optional || linkage.records.length > 0) return linkage;
  throw bodyError('forbidden', linkage.pointer, `${resource.type} cannot be without '${relationship.member}'.`);
}

/**
 * Parses the `relationships` of a resource object: each an object whose `data` is resource linkage (CR-01, UP-05).
 *
 * @throws ApiError one problem for each relationship that is unknown, not writable, malformed, or required and cleared; `limit-exceeded`
 *   for too many identifiers in all relationships together
 */
export function parseRelationships(relationships: unknown, scope: DocumentScope): Linkage[] {
  if (relationships === undefined) return [];
  if (!isPlainObject(relationships)) throw bodyError('invalid-payload', POINTER, 'The relationships must be an object.');
  const given = Object.entries(relationships).filter(([name, value]) => !name.startsWith('@') && value !== undefined);
  const linkages = collect(given, ([name, value]) => parseRelationship(name, value, scope));
  const { maxBatchSize } = scope.context.limits;
  if (linkages.reduce((sum, { records }) => sum + records.length, 0) <= maxBatchSize) return linkages;
  const detail = `The relationships of a document take at most ${maxBatchSize} members together (limits.maxBatchSize).`;
  throw bodyError('limit-exceeded', POINTER, detail);
}

const POINTER = '/data/relationships';

function parseRelationship(name: string, value: unknown, scope: DocumentScope): Linkage {
  const pointer = memberPointer(POINTER, name);
  const relationship = findRelationship(name, pointer, scope);
  if (!isPlainObject(value) || value['data'] === undefined) {
    throw bodyError('invalid-relation-data', pointer, `The relationship '${name}' must be an object with the member 'data'.`);
  }
  const linkage = parseLinkage(relationship, value['data'], `${pointer}/data`, scope.context);
  if (!relationship.many && !relationship.optional && linkage.records.length === 0) {
    throw bodyError('invalid-relation-data', linkage.pointer, `${scope.resource.type} cannot be without '${name}'.`);
  }
  return linkage;
}

function findRelationship(name: string, pointer: string, scope: DocumentScope): Relationship {
  const { resource } = scope;
  const field = resource.members.get(name);
  if (!field) {
    const known = resource.relationships.filter((one) => isWritable(one, scope)).map(({ member }) => member);
    throw bodyError('invalid-payload', pointer, `${resource.type} has no relationship ${quote(name)}.${didYouMean(name, known)}`);
  }
  if (field.kind === 'attribute') throw bodyError('invalid-payload', pointer, `'${name}' is an attribute: give it under 'attributes'.`);
  if (!isWritable(field, scope)) throw bodyError('invalid-payload', pointer, `The relationship '${name}' cannot be set here.`);
  return field;
}
