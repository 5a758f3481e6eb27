import type { Executor } from '../executor/executor.js';
import type { ApiError } from '../errors/api-error.js';
import type { OwnAction } from '../model/surface/surface.js';
import { ALWAYS, and, type Condition, type UniqueCondition, uniqueAsCondition } from '../query/condition.js';
import { selectFields } from '../query/fields.js';
import { countRows } from '../query/read.js';
import type { Row } from '../query/result.js';

/** What the preconditions of a request require of the record of an action. Conditions beside its key are part of its look-up, under the rules. */
export interface ActionRequirement {
  readonly condition: Condition;
  /** Present where a tag may be a hash of the record, of a model without a version. */
  readonly hash?: { readonly fields: readonly string[]; readonly isNamed: (row: Row) => boolean };
  /** Returns the refusal of a record that is not as required. */
  readonly refuse: () => ApiError;
  /** Whether `where` names the version, so that a record that it does not find may be there with another one. */
  readonly isInWhere?: boolean;
}

/** Whether an action takes the right to change its record, and so must require a version where writes must. */
export function isChanging({ right }: Pick<OwnAction, 'right'>): boolean {
  return right === 'update' || right === 'delete';
}

/**
 * Checks a record that is locked, so that it stays as it is until the action has ended.
 *
 * @returns why the request is refused; undefined where the record is as required
 */
export async function unmetRequirement(
  host: Executor,
  { keys }: UniqueCondition,
  requirement: ActionRequirement | undefined,
): Promise<ApiError | undefined> {
  if (!requirement || requirement.condition.kind === 'always') return undefined;
  const [{ model }] = keys;
  const { condition, hash, refuse } = requirement;
  const where = { keys, more: ALWAYS } as const;
  if (hash) {
    const row = await host.run({ kind: 'find-unique', model, where, selection: selectFields(model, hash.fields), isRequired: false });
    return row && hash.isNamed(row) ? undefined : refuse();
  }
  const isMet = condition.kind !== 'never' && (await host.run(countRows({ model, where: and(uniqueAsCondition(where), condition) }))) > 0;
  return isMet ? undefined : refuse();
}
