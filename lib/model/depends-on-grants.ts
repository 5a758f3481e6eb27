import type { ResourceModel } from './resource-model.js';
import type { Attribute, Field, Relationship, Resource, Surface } from './surface/surface.js';

/**
 * The models of which some callers are shown something else than others, by Prisma's names: those of the widest model that callers without grants
 * see otherwise. Whoever holds some of the grants is shown what is between the two.
 */
export function modelsThatDependOnGrants(none: Surface, widest: Surface): ReadonlySet<string> {
  const dependent = widest.resources.filter((resource) => {
    const other = none.byModel.get(resource.model);
    return !other || print(other) !== print(resource);
  });
  return new Set(dependent.map(({ model }) => model));
}

/**
 * By model, the names of the relations, in either style, that lead to models which depend on grants, at whatever distance. A request that names none of
 * them does not get there.
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

/** All that a resource tells of itself. */
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
