import { type DataCall, type WantedRecord } from '../../data-client/plan.js';
import { type ErrorCode } from '../../errors/error-catalogue.js';
import { cut } from '../../errors/quote.js';
import { type Resource, type UniqueKey } from '../../model/resource-model.js';
import { type Linkage, type LinkedRecord } from '../parse/write-intent.js';
import { isRequiredThere, type LinkageChange } from './relation-data.js';

/** A record that a body refers to, and so must be there. */
export interface ReferredRecord {
  readonly target: Resource;
  /** The values of a key of it, by Prisma's field names. */
  readonly key: Readonly<Record<string, unknown>>;
  /** One sentence for the error. */
  readonly detail: string;
  /** Where it is referred to. */
  readonly pointer: string;
}

/** The records that linkage names. */
export function linkedRecords(linkages: readonly Linkage[]): ReferredRecord[] {
  return linkages.flatMap(({ relationship: { target }, records }) => {
    return records.map(({ id, pointer }) => ({
      target,
      key: id.values,
      detail: `There is no ${target.type} with id ${cut(id.text)}.`,
      pointer,
    }));
  });
}

/**
 * One look at every type of resource that is referred to: what does not exist, or the caller may not see, is `not-found` at its place, before
 * anything is written (CR-05, UP-11, RE-03; decision D19).
 */
export function existenceChecks(records: readonly ReferredRecord[]): DataCall[] {
  const byTarget = new Map<Resource, ReferredRecord[]>();
  for (const record of records) {
    const ofTarget = byTarget.get(record.target);
    if (ofTarget) ofTarget.push(record);
    else byTarget.set(record.target, [record]);
  }
  return [...byTarget].map(([target, ofTarget]) => existenceCheck(target, ofTarget));
}

function existenceCheck(target: Resource, records: readonly ReferredRecord[]): DataCall {
  const keys = records.map(({ key }) => key);
  const names = new Set(keys.flatMap((key) => Object.keys(key)));
  return {
    delegate: target.delegate,
    operation: 'findMany',
    args: { where: whereAmong(keys, names), select: Object.fromEntries([...names].map((name) => [name, true])) },
    expect: { kind: 'all-found', wanted: records.map(({ key, detail, pointer }): WantedRecord => ({ key, detail, source: { pointer } })) },
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
  const among = whereLinked(target.identifier, records);
  const lost = change === 'remove' ? among : records.length > 0 && { NOT: among };
  const detail = `A ${target.type} cannot be without its '${target.fields.get(opposite)?.member ?? opposite}', so none can be taken out of '${member}'.`;
  return {
    delegate: target.delegate,
    operation: 'findMany',
    args: { where: { [opposite]: owner.values, ...lost }, select: selectKey(target.identifier), take: 1 },
    expect: { kind: 'none-found', problem: { code: owner.refusal, detail, source: { pointer } } },
  };
}

function whereLinked({ fields }: UniqueKey, records: readonly LinkedRecord[]): Record<string, unknown> {
  return whereAmong(
    records.map(({ id }) => id.values),
    new Set(fields.map(({ name }) => name)),
  );
}

/** The rows that have one of the keys, whose fields are these. */
function whereAmong(keys: readonly ReferredRecord['key'][], names: ReadonlySet<string>): Record<string, unknown> {
  const [first = '', ...others] = names;
  return others.length > 0 ? { OR: keys } : { [first]: { in: [...new Set(keys.map((key) => key[first]))] } };
}

/** The `select` of a key's fields alone. */
export function selectKey({ fields }: UniqueKey): Record<string, true> {
  return Object.fromEntries(fields.map(({ name }) => [name, true]));
}
