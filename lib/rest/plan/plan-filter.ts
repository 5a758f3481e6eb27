import type { Relationship } from '../../model/surface/surface.js';
import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { Filter, KeyFilter, PresenceFilter, RelationFilter } from '../parse/filter.js';
import { planAttributeFilter } from './plan-attribute-filter.js';
import { anyOf, not, type Where } from './where.js';

/**
 * The data client's `where` of a filter.
 *
 * @param provider - the database, since databases differ in how a wildcard is made literal
 */
export function planFilter(filter: Filter, provider: DatabaseProvider): Where {
  switch (filter.kind) {
    case 'all':
      return { AND: filter.filters.map((one) => planFilter(one, provider)) };
    case 'any':
      return { OR: filter.filters.map((one) => planFilter(one, provider)) };
    case 'attribute':
      return planAttributeFilter(filter, provider);
    case 'key':
      return filter.negated ? not(planKey(filter)) : planKey(filter);
    case 'relation':
      return planRelation(filter, provider);
    case 'presence':
      return planPresence(filter);
  }
}

function planKey({ ids }: Pick<KeyFilter, 'ids'>): Where {
  const [first] = ids;
  const [name, ...others] = Object.keys(first ?? {});
  if (name !== undefined && others.length === 0 && ids.length > 1) return { [name]: { in: ids.map((id) => id[name]) } };
  return anyOf(ids);
}

function planRelation({ relationship, match, filter }: RelationFilter, provider: DatabaseProvider): Where {
  const { name } = relationship;
  const ownKey = filter.kind === 'key' ? planForeignKey(relationship, filter) : undefined;
  switch (match) {
    case 'one':
      return ownKey ?? { [name]: planFilter(filter, provider) };
    case 'notOne':
      return ownKey ? unlinkedOr(not(ownKey), relationship) : not({ [name]: planFilter(filter, provider) });
    case 'some':
    case 'every':
    case 'none':
      return { [name]: { [match]: planFilter(filter, provider) } };
  }
}

/** Equality by id on the foreign key of the row itself: no join. */
function planForeignKey(relationship: Relationship, { ids }: KeyFilter): Where | undefined {
  const key = relationship.linkageKey;
  if (!key) return undefined;
  return planKey({ ids: ids.map((id) => Object.fromEntries(key.fields.map((field, index) => [field, id[key.references[index] ?? '']]))) });
}

/** In SQL a null is neither equal nor unequal: a row without a link passes no comparison of its key. */
function unlinkedOr(where: Where, { optional, linkageKey }: Relationship): Where {
  const unlinked = optional ? (linkageKey?.fields ?? []).map((field) => ({ [field]: null })) : [];
  return anyOf([where, ...unlinked]);
}

function planPresence({ relationship: { name, many }, present }: PresenceFilter): Where {
  if (many) return { [name]: present ? { some: {} } : { none: {} } };
  return { [name]: present ? { isNot: null } : { is: null } };
}
