import { frozenMap } from '../model/freeze.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Action, RowState, RowStates } from '../model/surface/surface.js';
import type { CompiledRules, RuleName } from './compile-rules.js';
import { normalize } from './normalize.js';
import type { Condition, Rule } from './rules-option.js';

/** The model with what its rules leave open of the rows, for `describeSurface`, the boot log and the surface lock. */
export function withRowStates(model: ResourceModel, rules: CompiledRules): ResourceModel {
  const rows = model.resources.map((resource) => [resource.model, statesOf(model, rules, resource.model)] as const);
  return Object.freeze({ ...model, rows: frozenMap(rows) });
}

function statesOf(model: ResourceModel, rules: CompiledRules, name: string): RowStates {
  const conditionOf = (rule: Rule): Condition | undefined =>
    typeof rule === 'function' ? undefined : normalize(model.storage, name, rule);
  const stateOf = (action: Action): RowState => {
    const conditions = RULES_OF[action].map((rule) => conditionOf(rules.get(name)?.[rule].rule ?? false));
    if (conditions.includes(false)) return 'closed';
    return conditions.every((condition) => condition === true) ? 'open' : 'ruled';
  };
  return Object.freeze({ read: stateOf('read'), create: stateOf('create'), update: stateOf('update'), delete: stateOf('delete') });
}

const RULES_OF: Readonly<Record<Action, readonly RuleName[]>> = {
  read: ['read'],
  create: ['create'],
  update: ['using', 'check'],
  delete: ['delete'],
};
