import type { DataCall, WantedRecord, WrittenKey } from '../data-client/plan.js';
import { hasOtherSpellings } from '../model/surface/has-other-spellings.js';
import type { Resource } from '../model/surface/surface.js';

/** A record that a write refers to, and so must be there. */
export interface ReferredRecord extends WantedRecord {
  readonly target: Resource;
  /** The columns of the written row that hold its key. */
  readonly columns?: WrittenKey['columns'];
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
    expect: {
      kind: 'all-found',
      wanted: records.map(({ key, detail, source }): WantedRecord => ({ key, detail, ...(source && { source }) })),
      ...(isSpelledFreely(target, names) && { otherSpellings: true }),
    },
  };
}

/** The foreign keys among what a write refers to whose records may be stored under another spelling. */
export function freeKeys(records: readonly ReferredRecord[]): readonly WrittenKey[] {
  return records.flatMap(({ target, key, columns = [] }) => {
    return columns.length > 0 && isSpelledFreely(target, Object.keys(key)) ? [{ delegate: target.delegate, key, columns }] : [];
  });
}

function isSpelledFreely({ fields, database }: Resource, names: Iterable<string>): boolean {
  return [...names].some((name) => {
    const field = fields.get(name);
    return field?.kind === 'attribute' && hasOtherSpellings(field, database);
  });
}

/** The rows that have one of the keys, whose fields are these. */
export function whereAmong(keys: readonly ReferredRecord['key'][], names: ReadonlySet<string>): Record<string, unknown> {
  const [first = '', ...others] = names;
  return others.length > 0 ? { OR: keys } : { [first]: { in: [...new Set(keys.map((key) => key[first]))] } };
}
