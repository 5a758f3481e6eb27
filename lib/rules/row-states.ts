import { frozenMap } from '../model/freeze.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { Action, Resource, RowState, RowStates } from '../model/surface/surface.js';
import { NEVER } from '../query/condition.js';
import { type CompiledRule, type CompiledRules, RULES_OF } from './compile-rules.js';

/** Returns the model with a summary of how rules and soft delete restrict its rows, for `describeSurface`, the boot log and the surface lock. */
export function withRowStates(model: ResourceModel, rules: CompiledRules | null): ResourceModel {
  const rows = model.resources.map((resource) => [resource.model, statesOf(resource, rules)] as const);
  return Object.freeze({ ...model, rows: frozenMap(rows) });
}

function statesOf({ model, softDelete }: Resource, rules: CompiledRules | null): RowStates {
  const stateOf = (action: Action): RowState => {
    const kinds = rules ? RULES_OF[action].map((of) => kindOf(rules.get(model)?.[of].rule)) : [];
    if (kinds.includes('never')) return 'closed';
    const isPart = softDelete !== undefined && action !== 'create' && !(action === 'read' && softDelete.isShown);
    return !isPart && kinds.every((kind) => kind === 'always') ? 'open' : 'ruled';
  };
  return Object.freeze({ read: stateOf('read'), create: stateOf('create'), update: stateOf('update'), delete: stateOf('delete') });
}

/** Returns the kind of a rule. A function may return any condition. */
function kindOf(rule: CompiledRule['rule'] = NEVER): string {
  return typeof rule === 'function' ? 'ruled' : rule.kind;
}
