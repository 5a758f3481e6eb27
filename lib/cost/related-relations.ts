import type { RelatedRelation } from '../data-client/plan.js';
import { withoutSelection } from '../data-client/selected-keys.js';
import { storedModel, storedRelation } from '../model/storage/stored-model.js';
import type { Storage } from '../model/storage/storage.js';
import type { Relationship, Resource } from '../model/surface/surface.js';
import { FrozenCache } from '../utils/frozen-cache.js';
import { isPlainObject } from '../wire/is-plain-object.js';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * The relations whose rows come along with a row, by the arguments that select them.
 *
 * One row's identity, and nothing else of it, is linkage and no row that counts: so a record says whom it refers to.
 */
export function relatedRelations(resource: Resource, args: Arguments, storage?: Storage): readonly RelatedRelation[] {
  const selected = args['select'] ?? args['include'];
  return selected ? KNOWN.of(selected, () => relationsOf(resource, selected, storage)) : [];
}

/** Of the selections that many requests share: each is of one resource of one API. */
const KNOWN = new FrozenCache<readonly RelatedRelation[]>();

function relationsOf(resource: Resource, selected: object, storage: Storage | undefined): readonly RelatedRelation[] {
  return Object.entries(selected).flatMap(([name, value]: [string, unknown]) => {
    const field = resource.fields.get(name);
    if (field?.kind !== 'relationship' || value === false) return [];
    const given = isPlainObject(value) ? value : {};
    return isLinkage(field, given)
      ? []
      : [{ ...describe(resource, field, given), ...wayBack(field, storage), relations: relatedRelations(field.target, given, storage) }];
  });
}

function isLinkage({ many, target }: Relationship, { select }: Arguments): boolean {
  if (many || !isPlainObject(select)) return false;
  return Object.keys(select).every((name) => target.identifier.fields.some((field) => field.name === name));
}

function describe(
  { delegate, identifier }: Resource,
  { name, many, target }: Relationship,
  given: Arguments,
): Omit<RelatedRelation, 'relations'> {
  return {
    name,
    many,
    args: withoutSelection(given),
    owner: { delegate, key: identifier.fields.map((field) => field.name) },
    target: { delegate: target.delegate, key: target.identifier.fields.map((field) => field.name) },
  };
}

/** The other side, hidden or not, and the foreign key where that side holds it. */
function wayBack(relationship: Relationship, storage: Storage | undefined): Pick<RelatedRelation, 'opposite' | 'foreignKey'> {
  const { opposite, target } = storage ? storedRelation(storage, relationship) : {};
  if (!storage || opposite === undefined || target === undefined) return {};
  const foreignKey = storedModel(storage, target).relations.get(opposite)?.foreignKey;
  return { opposite, ...(foreignKey && { foreignKey }) };
}
