import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import { isReservedKey } from '../../wire/path.js';
import { SCALAR_TEXTS } from '../../wire/scalar-text.js';
import { annotationOfType } from '../../wire/wire-text.js';
import type { ProjectedAttribute, RelationshipText, ResourceText } from './projection.js';

/** Compiles the parts of an attribute's text. */
export function compileAttribute(attribute: Attribute): ProjectedAttribute {
  const { member, type } = attribute;
  const name = JSON.stringify(member);
  const annotation = isReservedKey(member) || !ALWAYS_NOTED.has(type) ? undefined : annotationOfType(type);
  const note = annotation ? `.attributes.${name.slice(1)}:${JSON.stringify(annotation)}` : '';
  return { attribute, first: `${name}:`, next: `,${name}:`, textOf: SCALAR_TEXTS[type], note };
}

/** The types of which JSON has no value; of the numbers there are some that it lacks. */
const ALWAYS_NOTED: ReadonlySet<Attribute['type']> = new Set(['BigInt', 'Decimal', 'DateTime', 'Bytes'] as const);

/** Compiles the parts of a resource object's text. */
export function compileResource(resource: Resource, endpoint: string): ResourceText {
  return { open: identifierOf(resource), self: `,"links":{"self":${urlBefore(resource, endpoint)}` };
}

/** Compiles the parts of a relationship's text. */
export function compileRelationship(owner: Resource, { member, target }: Relationship, endpoint: string): RelationshipText {
  const path = encodeURIComponent(member);
  const url = urlBefore(owner, endpoint);
  return {
    open: `${JSON.stringify(member)}:{`,
    identifier: identifierOf(target),
    links: [`"links":{"self":${url}`, `/relationships/${path}","related":${url}`, `/${path}"}}`],
  };
}

function identifierOf({ type }: Resource): string {
  return `{"type":${JSON.stringify(type)},"id":`;
}

/** The text of a resource's URL up to its id, with the quote before it. */
function urlBefore({ type }: Resource, endpoint: string): string {
  return JSON.stringify(`${endpoint}/${encodeURIComponent(type)}/`).slice(0, -1);
}
