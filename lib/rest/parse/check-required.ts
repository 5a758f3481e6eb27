import { type Attribute, type Relationship, type Resource } from '../../model/resource-model.js';
import { isPlainObject } from '../../wire/is-plain-object.js';
import { bodyError } from './body-error.js';
import { collect } from './collect.js';
import { type DocumentScope, isWritable, type ResourceObject } from './document-scope.js';
import { isIdOnly } from './id-attribute.js';

/**
 * Checks that a create gives every attribute that nothing else fills: a foreign key by itself or by its relationship, and the id where the
 * server makes none.
 *
 * @throws ApiError `invalid-payload`, one problem for each missing member, which points at its parent
 */
export function checkRequired(data: ResourceObject, scope: DocumentScope): void {
  if (scope.kind === 'update') return;
  const given = givenFields(data, scope.resource);
  const missing = requiredAttributes(scope.resource).filter(({ name }) => !given.has(name));
  // By its text, so that a key of several fields is asked for once.
  const asked = new Map(missing.map((attribute) => describe(attribute, scope)));
  collect(asked, ([detail, parent]) => {
    throw bodyError('invalid-payload', isPlainObject(data[parent]) ? `/data/${parent}` : '/data', detail);
  });
}

function requiredAttributes({ attributes, clientIds, identifier }: Resource): readonly Attribute[] {
  const isRequiredId = ({ name }: Attribute): boolean => clientIds === 'required' && identifier.fields.some((field) => field.name === name);
  return attributes.filter((attribute) => (!attribute.hasDefault && attribute.rights.create) || isRequiredId(attribute));
}

/** Prisma names of the fields that the document sets in any way. */
function givenFields(data: ResourceObject, resource: Resource): ReadonlySet<string> {
  const relationships = resource.relationships.filter(({ member }) => isGiven(data['relationships'], member));
  return new Set([
    ...resource.attributes.filter(({ member }) => isGiven(data['attributes'], member)).map(({ name }) => name),
    ...relationships.flatMap(({ foreignKey }) => foreignKey?.fields ?? []),
    ...(hasId(data) ? resource.identifier.fields.map(({ name }) => name) : []),
  ]);
}

function hasId({ id }: ResourceObject): boolean {
  return id !== undefined && id !== null;
}

function isGiven(members: unknown, name: string): boolean {
  return isPlainObject(members) && Object.hasOwn(members, name) && members[name] !== undefined;
}

function describe(attribute: Attribute, scope: DocumentScope): readonly [detail: string, parent: 'attributes' | 'relationships' | 'id'] {
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
