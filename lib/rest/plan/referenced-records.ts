import type { DataCall } from '../../executor/plan.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import type { Storage } from '../../model/storage/storage.js';
import { storedHop, storedModel, storedRelation } from '../../model/storage/stored-model.js';
import type { Resource } from '../../model/surface/surface.js';
import { ALWAYS, and, type Condition, not, uniqueAsCondition, type UniqueCondition } from '../../query/condition.js';
import { isAmong } from '../../query/fields.js';
import { findMany } from '../../query/read.js';
import { existenceChecks, referencedKeys, type ReferencedRecord } from '../../run/checks/existence-checks.js';
import { flatMap } from '../../utils/flat-map.js';
import { nameOfId } from '../parse/parse-target.js';
import { attributeValues, type Linkage, type ResourceContent } from '../parse/write-intent.js';
import { selectKey } from '../projection/select-projection.js';
import { isRequiredThere, type LinkageChange } from './written-record.js';

/** Returns all records that the members of a document reference. */
export function referencedRecords(resource: Resource, content: ResourceContent, storage: Storage): ReferencedRecord[] {
  return [...linkedRecords(content.linkages, storage), ...foreignKeyRecords(resource, content, storage)];
}

/** Returns the records that linkage names. */
export function linkedRecords(linkages: readonly Linkage[], storage: Storage): ReferencedRecord[] {
  return flatMap(linkages, ({ relationship, records }) => {
    const { target } = relationship;
    const { fields = [], references = [] } = storedRelation(storage, relationship).foreignKey ?? {};
    const columns = fields.map((column, index) => ({ column, reference: references[index] ?? '' }));
    return records.map(({ id, pointer }) => ({
      target,
      columns,
      key: id.values,
      detail: `There is no ${target.type} with ${nameOfId(id)}.`,
      source: { pointer },
    }));
  });
}

/** Returns the records that foreign keys among the attributes reference. A key is left out if its relationship is in the document too. */
export function foreignKeyRecords(resource: Resource, content: ResourceContent, storage: Storage): ReferencedRecord[] {
  const linked = new Set(content.linkages.map(({ relationship }) => relationship));
  return referencedKeys({ resource, storage, linked }, attributeValues(content)).map(({ target, key, attribute, columns }) => {
    const pointer = content.attributes.find((given) => given.attribute === attribute)?.pointer;
    const detail = `There is no ${target.type} that '${attribute.member}' refers to.`;
    return { target, key, detail, columns, ...(pointer !== undefined && { source: { pointer } }) };
  });
}

/** The record whose relationships change, and the change. */
interface Owner {
  readonly where: Condition;
  readonly change: LinkageChange;
  /** The error code if a record would be left without its required owner. */
  readonly refusal: ErrorCode;
}

/**
 * Returns checks for records that a change would leave without a required relation whose foreign key they hold. Members of such a relationship can be
 * added. They can be replaced or removed only if no record is left without the relation.
 */
export function orphanChecks(linkages: readonly Linkage[], owner: Owner, storage: Storage): DataCall[] {
  const { change } = owner;
  if (change === 'attach' || change === 'add') return [];
  return linkages
    .filter(({ relationship, records }) => isRequiredThere(relationship, storage) && (change === 'replace' || records.length > 0))
    .map((linkage) => orphanCheck(linkage, owner, storage));
}

function orphanCheck({ relationship, records, pointer }: Linkage, { where, change, refusal }: Owner, storage: Storage): DataCall {
  const { target, opposite = '', member } = relationship;
  const model = storedModel(storage, target.model);
  const names = target.identifier.fields.map(({ name }) => name);
  const ids = records.map(({ id }) => id.values);
  const among = isAmong(model, names, ids);
  const owned: Condition = { kind: 'is', ...storedHop(storage, { model: target.model, name: opposite }), condition: where };
  const lost = change === 'remove' ? among : records.length > 0 ? not(among) : ALWAYS;
  const selection = selectKey(target, storage);
  const detail = `A ${target.type} cannot be without its '${target.fields.get(opposite)?.member ?? opposite}', so none can be taken out of '${member}'.`;
  return {
    query: findMany({ model, where: and(owned, lost), page: { take: 1 }, selection }),
    expect: { kind: 'none-found', problem: { code: refusal, detail, source: { pointer } } },
  };
}

/** Returns the checks of a write to a record that may exist. */
export function contentChecks(
  records: readonly ReferencedRecord[],
  { linkages }: ResourceContent,
  where: UniqueCondition,
  storage: Storage,
): readonly DataCall[] {
  const owner = { where: uniqueAsCondition(where), change: 'replace', refusal: 'invalid-relation-data' } as const;
  return [...existenceChecks(records, storage), ...orphanChecks(linkages, owner, storage)];
}
