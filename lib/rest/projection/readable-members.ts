import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';

/** What a reader sees of a resource, before any sparse fieldset. */
interface ReadableMembers {
  readonly attributes: readonly Attribute[];
  readonly relationships: readonly Relationship[];
}

/**
 * The members that documents of a resource carry.
 *
 * Attributes: the readable ones but the primary key where it is the id already, and one called `id`, which JSON:API reserves (DS-13); in
 * strict mode also without foreign keys (decision D6). Relationships: the readable ones; one that leads to resources closed to readers is
 * not (the model sees to that).
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

/** Whether an attribute is the resource's `id` member rather than an attribute of its documents. */
export function isId({ identifier }: Resource, attribute: Attribute): boolean {
  if (attribute.member === 'id') return true;
  return attribute.primaryKey === 'whole' && identifier.fields.every(({ name }) => name === attribute.name);
}
