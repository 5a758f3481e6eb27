import type { GivenAction } from '../actions/action.js';
import type { ConfigurationProblems } from '../errors/configuration-problems.js';
import { compileHooks } from '../hooks/compile-hooks.js';
import type { GivenHook } from '../hooks/hook.js';
import { type HookFailure, HostHooks } from '../hooks/host-hooks.js';
import type { ModelsByGrants } from '../model/granted-models.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ResourceApiFactoryOptions, ResourceApiOptions } from '../options/resource-api-options.js';
import { compileRules } from '../rules/compile-rules.js';
import { RowRules } from '../rules/row-rules.js';
import { withRowStates } from '../rules/row-states.js';
import { compileSoftDeletes, NO_SOFT_DELETES } from '../rules/soft-deletes.js';

/** The code of the host's own that is found among its providers. */
export interface FoundCode {
  readonly actions: readonly GivenAction[];
  readonly hooks: readonly GivenHook[];
  readonly onHookFailure: (failure: HookFailure) => void;
}

export const NOTHING_FOUND: FoundCode = { actions: [], hooks: [], onHookFailure: () => undefined };

/** What stands between the plans of requests and their rows. */
export interface RowStage {
  /** Null where the host gives neither rules nor hooks, and no model has soft delete. */
  readonly rules: RowRules | null;
  /** Null where the host has none. */
  readonly hooks: HostHooks | null;
}

const NO_STAGE: RowStage = { rules: null, hooks: null };

interface StageSetting {
  readonly limits: Limits;
  readonly found: FoundCode;
  readonly problems: ConfigurationProblems;
}

/** An option `rules` that is undefined is one that is left out by mistake: `rules: undefined` would open everything. */
export function rowStage(
  options: ResourceApiOptions | ResourceApiFactoryOptions,
  built: ModelsByGrants | undefined,
  { limits, found, problems }: StageSetting,
): RowStage {
  if (!built) return NO_STAGE;
  const { storage, resources } = built.widest.model;
  const rules = problems.collect(() => ('rules' in options ? compileRules(options.rules, storage, resources) : null));
  const compiled = problems.collect(() => compileHooks(found.hooks, storage)) ?? null;
  const hooks = compiled && new HostHooks(compiled, found.onHookFailure);
  const softDeletes = problems.collect(() => compileSoftDeletes(options.resources, storage)) ?? NO_SOFT_DELETES;
  if (!rules && !hooks && softDeletes.size === 0) return NO_STAGE;
  const { bypassedHooks = [] } = options;
  return { hooks, rules: new RowRules(storage, { rules: rules ?? null, hooks, softDeletes, bypassedHooks, maxRows: limits.maxTake }) };
}

/** The model with what its rules, and soft delete, leave open, if there are any. */
export function withRows(model: ResourceModel, rules: RowRules | null): ResourceModel {
  return rules && (rules.rules || rules.softDeletes.size > 0) ? withRowStates(model, rules.rules) : model;
}
