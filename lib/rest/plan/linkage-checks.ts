import type { DataCall } from '../../data-client/plan.js';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import { cut } from '../../errors/quote.js';
import type { Storage } from '../../model/storage/storage.js';
import { storedRelation } from '../../model/storage/stored-model.js';
import type { UniqueKey } from '../../model/surface/surface.js';
import { type ReferredRecord, whereAmong } from '../../references/existence-checks.js';
import type { Linkage, LinkedRecord } from '../parse/write-intent.js';
import { selectKey } from '../projection/select-projection.js';
import { isRequiredThere, type LinkageChange } from './relation-data.js';

/** The records that linkage names. */
export function linkedRecords(linkages: readonly Linkage[], storage: Storage): ReferredRecord[] {
  return linkages.flatMap(({ relationship, records }) => {
    const { target } = relationship;
    const { fields = [], references = [] } = storedRelation(storage, relationship).foreignKey ?? {};
    const columns = fields.map((column, index) => ({ column, reference: references[index] ?? '' }));
    return records.map(({ id, pointer }) => ({
      target,
      columns,
      key: id.values,
      detail: `There is no ${target.type} with id ${cut(id.text)}.`,
      source: { pointer },
    }));
  });
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
