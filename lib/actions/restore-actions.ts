import type { RowRules } from '../rules/row-rules.js';
import type { GivenAction } from './action.js';

/**
 * The action `restore` of each model that keeps what is deleted: who may delete a record may restore it.
 */
export function restoreActions(rules: Pick<RowRules, 'softDeletes'> | null): readonly GivenAction[] {
  return [...(rules?.softDeletes.keys() ?? [])].map((model) =>
    Object.freeze({
      model,
      name: 'restore',
      on: 'record',
      right: 'delete',
      place: `resources.${model}.softDelete`,
      restores: true,
      owner: () => OWNER,
    }),
  );
}

/** It is the package's own. */
const OWNER = Object.freeze({});
