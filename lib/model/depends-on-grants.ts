import type { ResourceModel } from './resource-model.js';
import type { Attribute, Field, Relationship, Resource, Surface } from './surface/surface.js';

/**
 * Returns the models whose surface depends on grants, by Prisma's names: those that differ between callers without grants and callers with
 * all grants.
 * The surface of a caller with some of the grants is between these two.
 */
export function modelsThatDependOnGrants(none: Surface, widest: Surface): ReadonlySet<string> {
  const dependent = widest.resources.filter((resource) => {
    const other = none.byModel.get(resource.model);
    return !other || print(other) !== print(resource);
  });
  return new Set(dependent.map(({ model }) => model));
}

/**
 * Returns, by model, the relations that lead to models which depend on grants, directly or through others. The names of both styles are
 * included.
 * A request that names none of these relations does not reach such a model.
 */
export function relationsToThem({ resources }: Pick<ResourceModel, 'resources'>, dependent: ReadonlySet<string>): RelationsByModel {
  const reaching = new Set(dependent);
  const reaches = ({ target }: Relationship): boolean => reaching.has(target.model);
  let before: number;
  do {
    before = reaching.size;
    for (const { model, relationships } of resources) if (relationships.some(reaches)) reaching.add(model);
  } while (reaching.size > before);
  return new Map(
    resources.map(({ model, relationships }) => [
      model,
      new Set(relationships.filter(reaches).flatMap(({ name, member }) => [name, member])),
    ]),
  );
}

export type RelationsByModel = ReadonlyMap<string, ReadonlySet<string>>;

/** Serializes everything about a resource that may depend on grants. */
function print({ actions, clientIds, identifier, uniqueKeys, attributes, relationships, required, softDelete }: Resource): string {
  const names = (fields: readonly Field[]): readonly string[] => fields.map(({ name }) => name);
  return JSON.stringify([
    [...actions],
    softDelete,
    clientIds,
    identifier.name,
    [...uniqueKeys.keys()],
    attributes.map((attribute) => [printField(attribute), attribute.foreignKeyOf]),
    relationships.map((relationship) => [
      printField(relationship),
      relationship.target.model,
      relationship.link,
      relationship.linkable,
      relationship.opposite,
      relationship.linkageKey,
    ]),
    [required.attributes, required.inDocument, required.relationships].map(names),
  ]);
}

function printField({ name, member, rights, closed }: Attribute | Relationship): unknown {
  return [name, member, { ...rights, filter: typeof rights.filter === 'boolean' ? rights.filter : [...rights.filter] }, closed];
}
