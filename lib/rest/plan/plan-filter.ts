import type { Storage } from '../../model/storage/storage.js';
import { storedField, storedHop, storedModel } from '../../model/storage/stored-model.js';
import type { Relationship } from '../../model/surface/surface.js';
import { ALWAYS, and, type Condition, equals, not, or } from '../../query/condition.js';
import { fieldNamed, hasValues, isAmong } from '../../query/fields.js';
import { keyCondition } from '../../query/key.js';
import type { Filter, KeyFilter, PresenceFilter, RelationFilter } from '../parse/filter.js';
import { planAttributeFilter } from './plan-attribute-filter.js';

/** The condition that a filter is. */
export function planFilter(filter: Filter, storage: Storage): Condition {
  switch (filter.kind) {
    case 'all':
      return and(...filter.filters.map((one) => planFilter(one, storage)));
    case 'any':
      return or(...filter.filters.map((one) => planFilter(one, storage)));
    case 'attribute':
      // Databases differ in how a wildcard is made literal.
      return planAttributeFilter(filter, storedField(storage, filter.attribute), storage.provider);
    case 'key':
      return filter.negated ? not(planKey(filter, storage)) : planKey(filter, storage);
    case 'relation':
      return planRelation(filter, storage);
    case 'presence':
      return planPresence(filter, storage);
  }
}

function planKey({ resource: { model, identifier }, ids }: KeyFilter, storage: Storage): Condition {
  const stored = storedModel(storage, model);
  const names = identifier.fields.map(({ name }) => name);
  if (names.length === 1 && ids.length > 1) return isAmong(stored, names, ids);
  return or(...ids.map((id) => keyCondition(stored, identifier, id)));
}

function planRelation({ relationship, match, filter }: RelationFilter, storage: Storage): Condition {
  const ownKey = filter.kind === 'key' ? planForeignKey(relationship, filter, storage) : undefined;
  const related = (kind: 'is' | 'some' | 'every' | 'none'): Condition =>
    Object.freeze({ kind, ...storedHop(storage, relationship), condition: planFilter(filter, storage) });
  switch (match) {
    case 'one':
      return ownKey?.linked ?? related('is');
    case 'notOne':
      return ownKey ? or(not(ownKey.linked), ...ownKey.unlinked) : not(related('is'));
    case 'some':
    case 'every':
    case 'none':
      return related(match);
  }
}

interface OwnKey {
  readonly linked: Condition;
  /** In SQL a null is neither equal nor unequal: a row without a link passes no comparison of its key. */
  readonly unlinked: readonly Condition[];
}

/** Equality by id on the foreign key of the row itself: no join. */
function planForeignKey({ model, optional, linkageKey }: Relationship, { ids }: KeyFilter, storage: Storage): OwnKey | undefined {
  if (!linkageKey) return undefined;
  const stored = storedModel(storage, model);
  const { fields, references } = linkageKey;
  const rows = ids.map((id) => Object.fromEntries(fields.map((field, index) => [field, id[references[index] ?? '']])));
  const [row, ...others] = rows;
  const linked = row && others.length === 0 ? hasValues(stored, row) : isAmong(stored, fields, rows);
  return { linked, unlinked: optional ? fields.map((name) => equals(fieldNamed(stored, name), null)) : [] };
}

function planPresence({ relationship, present }: PresenceFilter, storage: Storage): Condition {
  const some = relationship.many ? 'some' : 'is';
  const none = relationship.many ? 'none' : 'isNot';
  return Object.freeze({ kind: present ? some : none, ...storedHop(storage, relationship), condition: ALWAYS });
}
