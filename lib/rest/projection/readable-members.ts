import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';

/** The members of a resource that callers may read, before any sparse fieldset. */
interface ReadableMembers {
  readonly attributes: readonly Attribute[];
  readonly relationships: readonly Relationship[];
}

/**
 * Returns the members that documents of a resource can contain.
 *
 * Attributes: the readable ones, without a primary key that is the id already, and without one called `id`, which JSON:API reserves
 * (DS-13). In strict mode foreign keys are left out as well.
 *
 * Relationships: the readable ones. The model has already removed those to resources that callers may not read.
 */
export function readableMembers(resource: Resource, strict: boolean): ReadableMembers {
  const cache = strict ? strictMembers : members;
  const known = cache.get(resource);
  if (known) return known;
  const found: ReadableMembers = {
    attributes: resource.attributes.filter((attribute) => {
      return attribute.rights.read && !isId(resource, attribute) && !(strict && attribute.foreignKeyOf.length > 0);
    }),
    relationships: resource.relationships.filter(({ rights }) => rights.read),
  };
  cache.set(resource, found);
  return found;
}

const members = new WeakMap<Resource, ReadableMembers>();
const strictMembers = new WeakMap<Resource, ReadableMembers>();

/** Whether an attribute is the member `id` of its resource rather than a member of `attributes`. */
export function isId({ identifier }: Resource, attribute: Attribute): boolean {
  if (attribute.member === 'id') return true;
  return attribute.primaryKey === 'whole' && identifier.fields.every(({ name }) => name === attribute.name);
}
