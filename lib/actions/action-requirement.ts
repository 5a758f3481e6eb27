import type { Executor } from '../executor/executor.js';
import type { ApiError } from '../errors/api-error.js';
import type { OwnAction } from '../model/surface/surface.js';
import { and, type Condition, type UniqueCondition } from '../query/condition.js';
import { countRows, findRow } from '../query/read.js';
import type { Row } from '../query/result.js';

/** The preconditions of a request on the record of an action. The look-up of the record, under the rules, already includes conditions of `where`. */
export interface ActionRequirement {
  readonly condition: Condition;
  /** The fields of the row hash. Present if an entity tag may be a hash of the row, which is so for models without a version. */
  readonly hash?: { readonly fields: readonly string[]; readonly isNamed: (row: Row) => boolean };
  /** Returns the error for a record that does not meet the preconditions. */
  readonly refuse: () => ApiError;
  /** Whether `where` contains the version. If so, a record that `where` does not find may exist with another version. */
  readonly isInWhere?: boolean;
}

/** Whether an action needs the right to update or delete its record. Such an action must name a version where writes must. */
export function isChanging({ right }: Pick<OwnAction, 'right'>): boolean {
  return right === 'update' || right === 'delete';
}

/**
 * Checks the preconditions on a locked record, which cannot change until the action has ended.
 *
 * @returns the error that rejects the request; undefined if the record meets the preconditions
 */
export async function unmetRequirement(
  executor: Executor,
  where: UniqueCondition,
  requirement: ActionRequirement | undefined,
): Promise<ApiError | undefined> {
  if (!requirement || requirement.condition.kind === 'always') return undefined;
  const { condition, hash, refuse } = requirement;
  if (hash) {
    const row = await executor.run(findRow(where, hash.fields));
    return row && hash.isNamed(row) ? undefined : refuse();
  }
  const [{ model }] = where.keys;
  const isMet = condition.kind !== 'never' && (await executor.run(countRows({ model, where: and(...where.keys, condition) }))) > 0;
  return isMet ? undefined : refuse();
}
