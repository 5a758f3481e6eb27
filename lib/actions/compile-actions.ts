import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { checkChoice } from '../model/check-option.js';
import { frozenMap } from '../model/freeze.js';
import type { ResourceModel } from '../model/resource-model.js';
import { ACTIONS } from '../model/surface/rights.js';
import type { Resource } from '../model/surface/surface.js';
import type { RowRules } from '../rules/row-rules.js';
import type { ActionMethod, ApplicationActions } from './action.js';

/** The names of built-in operations, which no action of any model may have. */
type TakenNames = Pick<ReadonlySet<string>, 'has'>;

/**
 * Compiles the actions of the exposed models. Actions of other models are ignored, because they may belong to another API.
 *
 * @param taken the operations of RPC
 * @throws ConfigurationError
 */
export function compileActions(given: readonly ActionMethod[], model: ResourceModel, taken: TakenNames): ApplicationActions {
  const exposed = given.filter((action) => model.byModel.has(action.model));
  checkAll(
    exposed.map((action) => () => {
      const resource = model.byModel.get(action.model);
      if (resource) checkAction(action, resource, taken);
    }),
  );
  const names = [...new Set(exposed.map((action) => action.model))];
  return frozenMap(names.map((name) => [name, byName(exposed.filter((action) => action.model === name))]));
}

function checkAction({ place, name, on, right }: ActionMethod, resource: Resource, taken: TakenNames): void {
  checkChoice(`${place}: 'on'`, on, ['record', 'collection']);
  checkChoice(`${place}: 'right'`, right, ACTIONS);
  const isTaken = name === 'relationships' || taken.has(name) || [resource.members, resource.fields].some((names) => names.has(name));
  if (isTaken || !NAME.test(name)) {
    throw new ConfigurationError(
      `${place} is an action of '${resource.model}' that is called as ${isTaken ? 'a field, a relationship or an operation is' : 'no path can be'}.`,
      'Give the method another name: it is that of the action.',
    );
  }
}

const NAME = /^[a-z]\w*$/i;

function byName(actions: readonly ActionMethod[]): ReadonlyMap<string, ActionMethod> {
  const named = new Map<string, ActionMethod>();
  for (const action of actions) {
    const other = named.get(action.name);
    if (other)
      throw new ConfigurationError(`${action.place} and ${other.place} are both '${action.name}' of '${action.model}'.`, 'Rename one.');
    named.set(action.name, action);
  }
  return frozenMap(named);
}

/** Adds the actions to the model, which parsers and the OpenAPI document read. */
export function withActions(model: ResourceModel, ownActions: ApplicationActions): ResourceModel {
  return ownActions.size === 0 ? model : Object.freeze({ ...model, ownActions });
}

/** Returns the action `restore` of each model with soft delete. It requires the right to delete. */
export function restoreActions(rules: Pick<RowRules, 'softDeletes'> | null): readonly ActionMethod[] {
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

/** A placeholder for the provider, because the package implements `restore` itself. */
const OWNER = Object.freeze({});
