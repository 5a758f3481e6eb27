import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError } from './body-error.js';
import { collect } from './collect.js';
import { type DocumentScope, isWritable } from './document-scope.js';
import { isIdOnly } from './parse-document-id.js';
import type { JsonObject } from './read-document.js';

/**
 * Checks that a create has every attribute without a default or server value: a foreign key directly or by its relationship, and the id
 * unless the server generates it.
 *
 * @throws ApiError `invalid-payload`, one problem for each missing member, whose pointer is the member's parent
 */
export function checkRequired(data: JsonObject, scope: DocumentScope): void {
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
