import { type DataCall, type WantedRecord } from '../../data-client/plan.js';
import { type ErrorCode } from '../../errors/error-catalogue.js';
import { type Resource, type UniqueKey } from '../../model/resource-model.js';
import { type Linkage, type LinkedRecord } from '../parse/write-intent.js';
import { isRequiredThere, type LinkageChange } from './relation-data.js';

/**
 * One look at every type of resource that is to be linked: what does not exist, or the caller may not see, is `not-found` at its place, before
 * anything is written (CR-05, UP-11, RE-03; decision D19).
 */
export function existenceChecks(linkages: readonly Linkage[]): DataCall[] {
  const byTarget = new Map<Resource, LinkedRecord[]>();
  for (const { relationship, records } of linkages) {
    byTarget.set(relationship.target, [...(byTarget.get(relationship.target) ?? []), ...records]);
  }
  return [...byTarget].filter(([, records]) => records.length > 0).map(([target, records]) => existenceCheck(target, records));
}

function existenceCheck(target: Resource, records: readonly LinkedRecord[]): DataCall {
  const wanted = records.map(({ id, pointer }): WantedRecord => ({
    key: id.values,
    detail: `There is no ${target.type} with id ${id.text}.`,
    source: { pointer },
  }));
  return {
    delegate: target.delegate,
    operation: 'findMany',
    args: { where: whereAmong(target.identifier, records), select: selectKey(target.identifier) },
    expect: { kind: 'all-found', wanted },
  };
}

/** The record whose relationships change, as a condition on its related ones. */
export interface Owner {
  readonly values: Readonly<Record<string, unknown>>;
  /** What a record that would be left without it means to the client. */
  readonly refusal: ErrorCode;
}

/**
 * A look for records that a change would leave without what they cannot be without: they hold the key, and it is required. So members of such
 * a relationship can be added, and replaced or removed where none would be left alone.
 */
export function orphanChecks(linkages: readonly Linkage[], change: LinkageChange, owner: Owner): DataCall[] {
  if (change === 'attach' || change === 'add') return [];
  return linkages
    .filter(({ relationship, records }) => isRequiredThere(relationship) && (change === 'replace' || records.length > 0))
    .map((linkage) => orphanCheck(linkage, change, owner));
}

function orphanCheck({ relationship, records, pointer }: Linkage, change: 'replace' | 'remove', owner: Owner): DataCall {
  const { target, opposite = '', member } = relationship;
  const among = whereAmong(target.identifier, records);
  const lost = change === 'remove' ? among : records.length > 0 && { NOT: among };
  const detail = `A ${target.type} cannot be without its '${target.fields.get(opposite)?.member ?? opposite}', so none can be taken out of '${member}'.`;
  return {
    delegate: target.delegate,
    operation: 'findMany',
    args: { where: { [opposite]: owner.values, ...lost }, select: selectKey(target.identifier), take: 1 },
    expect: { kind: 'none-found', problem: { code: owner.refusal, detail, source: { pointer } } },
  };
}

function whereAmong({ fields }: UniqueKey, records: readonly LinkedRecord[]): Record<string, unknown> {
  const values = [...new Map(records.map(({ id }) => [id.text, id.values])).values()];
  const [first, ...others] = fields;
  if (first && others.length === 0) return { [first.name]: { in: values.map((row) => row[first.name]) } };
  return { OR: values };
}

/** The `select` of a key's fields alone. */
export function selectKey({ fields }: UniqueKey): Record<string, true> {
  return Object.fromEntries(fields.map(({ name }) => [name, true]));
}
