import { takeOneMore } from '../../limits/limit-related.js';
import type { Storage, StoredModel } from '../../model/storage/storage.js';
import { storedHop, storedModel } from '../../model/storage/stored-model.js';
import type { Relationship, Resource, UniqueKey } from '../../model/surface/surface.js';
import { ALWAYS } from '../../query/condition.js';
import { fieldMembers, fieldNamed, selectFields, selectionOf } from '../../query/fields.js';
import type { Order } from '../../query/order.js';
import type { CountsMember, ManyMember, Member, OneMember, Selection } from '../../query/selection.js';
import type { ProjectedRelationship, ResourceProjection } from './projection.js';

/** Settings that a selection depends on. */
export interface SelectRules {
  readonly storage: Storage;
  /** `limits.maxTake` */
  readonly maxTake: number;
}

/** Returns the selection that reads the id of a resource. */
export function selectKey({ model, identifier }: Pick<Resource, 'model' | 'identifier'>, storage: Storage): Selection {
  return selectFields(storedModel(storage, model), listFieldNames(identifier));
}

/** Returns the selection that reads exactly the members of a projection. */
export function selectProjection(
  { resource, attributes, relationships }: Pick<ResourceProjection, 'resource' | 'attributes' | 'relationships'>,
  rules: SelectRules,
): Selection {
  const model = storedModel(rules.storage, resource.model);
  const stored = attributes.flatMap(({ attribute: { name, computed } }) => (computed ? [] : [name]));
  const computed = attributes.filter(({ attribute }) => attribute.computed);
  const keys = relationships.filter(({ linkage }) => linkage === 'foreign-key').map(({ relationship }) => relationship);
  const version = versionNames(resource);
  const names = new Set([...listFieldNames(resource.identifier), ...stored, ...keys.flatMap(keyNames), ...version]);
  return selectionOf(model, [
    // Fields are in the order of the model, as Prisma selects them by default.
    ...fieldMembers(
      model,
      [...model.fields.keys()].filter((name) => names.has(name)),
    ),
    ...computed.map(({ attribute: { name } }): Member => Object.freeze({ kind: 'computed', name })),
    ...relationships.flatMap((projected) => (projected.related ? selectIncluded(projected, projected.related.selection, rules) : [])),
    ...selectCounts(relationships, rules),
  ]);
}

type Windowed = Pick<ProjectedRelationship, 'relationship' | 'window'>;

function selectIncluded({ relationship, window }: Windowed, selection: Selection, rules: SelectRules): OneMember | ManyMember {
  const member = selectRelated(relationship, selection, rules);
  return window && member.kind === 'many' ? Object.freeze({ ...member, ...window.rows }) : member;
}

/** Returns the counts for the totals of windows. */
function selectCounts(relationships: readonly Windowed[], rules: SelectRules): readonly CountsMember[] {
  const counts = relationships.flatMap(({ relationship, window }) => {
    return window?.isCounted === true ? [{ ...storedHop(rules.storage, relationship), where: window.filter }] : [];
  });
  return counts.length > 0 ? [Object.freeze({ kind: 'counts', counts })] : [];
}

/** Returns the selection of the row's foreign key fields that provide the linkage of a relationship. */
export function selectForeignKey(model: StoredModel, relationship: Relationship): Selection {
  return selectFields(model, keyNames(relationship));
}

function listFieldNames({ fields }: UniqueKey): readonly string[] {
  return fields.map(({ name }) => name);
}

function versionNames({ version }: Pick<Resource, 'version'>): readonly string[] {
  if (!version) return [];
  return version.hashed ? version.hashed.map(({ name }) => name) : [version.field];
}

function keyNames({ linkageKey }: Relationship): readonly string[] {
  return linkageKey?.fields ?? [];
}

/**
 * Returns the selection member of a relationship. To-many rows are ordered by primary key, and limited to `limits.maxTake` + 1. Because of
 * the additional row, the renderer can detect that there are too many.
 */
export function selectRelated(relationship: Relationship, selection: Selection, { storage, maxTake }: SelectRules): OneMember | ManyMember {
  const { many, target } = relationship;
  const related = { ...storedHop(storage, relationship), where: ALWAYS, selection };
  if (many) return Object.freeze({ kind: 'many', ...related, order: keyOrder(target, storage), page: takeOneMore(maxTake) });
  return Object.freeze({ kind: 'one', ...related, isLinkage: selection.members.every((member) => isId(member, target)) });
}

function isId(member: Member, { identifier }: Resource): boolean {
  return member.kind === 'field' && listFieldNames(identifier).includes(member.field.name);
}

/** Returns a total order of rows: by the primary key, exposed or hidden. A model without a primary key is ordered by its id. */
export function keyOrder({ model, identifier }: Resource, storage: Storage): Order {
  const stored = storedModel(storage, model);
  const names = stored.primaryKey?.fields ?? identifier.fields.map(({ name }) => name);
  return names.map((name) => ({ kind: 'field-term', path: [], field: fieldNamed(stored, name), direction: 'asc' }));
}
