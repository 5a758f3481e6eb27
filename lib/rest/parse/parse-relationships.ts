import { didYouMean } from '../../errors/did-you-mean.js';
import { quote } from '../../errors/quote.js';
import type { Relationship } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError } from './body-error.js';
import { collect } from './collect.js';
import { type DocumentScope, isWritable } from './document-scope.js';
import { memberPointer } from './json-pointer.js';
import { parseLinkage } from './parse-linkage.js';
import type { Linkage } from './write-intent.js';

/**
 * Reads the `relationships` of a resource object: each an object whose `data` is resource linkage (CR-01, UP-05).
 *
 * @throws ApiError one problem for each relationship that is unknown, closed, malformed, or required and to be cleared; `limit-exceeded` for too
 *   many identifiers in all of them
 */
export function parseRelationships(relationships: unknown, scope: DocumentScope): Linkage[] {
  if (relationships === undefined) return [];
  if (!isPlainObject(relationships)) throw bodyError('invalid-payload', POINTER, 'The relationships must be an object.');
  const given = Object.entries(relationships).filter(([name, value]) => !name.startsWith('@') && value !== undefined);
  const linkages = collect(given, ([name, value]) => parseRelationship(name, value, scope));
  requireSize(linkages, scope);
  return linkages;
}

const POINTER = '/data/relationships';

function requireSize(linkages: readonly Linkage[], { context: { limits } }: DocumentScope): void {
  const size = linkages.reduce((sum, { records }) => sum + records.length, 0);
  if (size <= limits.maxBatchSize) return;
  const detail = `The relationships of a document take at most ${limits.maxBatchSize} members together (limits.maxBatchSize).`;
  throw bodyError('limit-exceeded', POINTER, detail);
}

function parseRelationship(name: string, value: unknown, scope: DocumentScope): Linkage {
  const pointer = memberPointer(POINTER, name);
  const relationship = findRelationship(name, scope);
  if (!isPlainObject(value) || value['data'] === undefined) {
    throw bodyError('invalid-relation-data', pointer, `The relationship '${name}' must be an object with the member 'data'.`);
  }
  const linkage = parseLinkage({ relationship, data: value['data'], pointer: `${pointer}/data` }, scope.context);
  if (isCleared(linkage) && !relationship.optional) {
    throw bodyError('invalid-relation-data', linkage.pointer, `${scope.resource.type} cannot be without '${name}'.`);
  }
  return linkage;
}

function isCleared({ relationship, records }: Linkage): boolean {
  return !relationship.many && records.length === 0;
}

function findRelationship(name: string, scope: DocumentScope): Relationship {
  const { resource } = scope;
  const pointer = memberPointer(POINTER, name);
  const field = resource.members.get(name);
  if (!field) {
    const known = resource.relationships.filter((one) => isWritable(one, scope)).map(({ member }) => member);
    throw bodyError('invalid-payload', pointer, `${resource.type} has no relationship ${quote(name)}.${didYouMean(name, known)}`);
  }
  if (field.kind === 'attribute') throw bodyError('invalid-payload', pointer, `'${name}' is an attribute: give it under 'attributes'.`);
  if (!isWritable(field, scope)) throw bodyError('invalid-payload', pointer, `The relationship '${name}' cannot be set here.`);
  return field;
}
