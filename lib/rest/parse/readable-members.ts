import { type Attribute, type ForeignKey, type Relationship, type Resource } from '../../model/resource-model.js';

/** What a reader sees of a resource, before any sparse fieldset. */
export interface ReadableMembers {
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

/**
 * The foreign key on the row itself, where its values are the target's id, so that linkage needs no second look.
 * Absent on the other side of a relation, and where the id is another key than the one referred to (`externalId`).
 */
export function linkageKey({ foreignKey, target }: Relationship): ForeignKey | undefined {
  if (foreignKey?.references.length !== target.identifier.fields.length) return undefined;
  return target.identifier.fields.every(({ name }) => foreignKey.references.includes(name)) ? foreignKey : undefined;
}

/** Whether an attribute is the resource's `id` member rather than an attribute of its documents. */
export function isId({ identifier, orderKeys }: Resource, attribute: Attribute): boolean {
  if (attribute.member === 'id') return true;
  const [only, ...others] = identifier.fields;
  return others.length === 0 && only?.name === attribute.name && orderKeys.length === 1 && orderKeys[0] === attribute.name;
}
