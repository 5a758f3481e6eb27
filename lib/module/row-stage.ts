import type { ActionMethod } from '../actions/action.js';
import type { ConfigurationProblems } from '../errors/configuration-problems.js';
import { compileHooks } from '../hooks/compile-hooks.js';
import type { HookMethod } from '../hooks/hook.js';
import { type HookFailure, ApplicationHooks } from '../hooks/application-hooks.js';
import type { ModelsByGrants } from '../model/granted-models.js';
import type { Limits } from '../model/limits.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ResourceApiFactoryOptions, ResourceApiOptions } from '../options/resource-api-options.js';
import { compileRules } from '../rules/compile-rules.js';
import { RowRules } from '../rules/row-rules.js';
import { withRowStates } from '../rules/row-states.js';
import { compileSoftDeletes, NO_SOFT_DELETES } from '../rules/soft-deletes.js';

/** Actions and hooks that were found by their decorators among the providers of the application. */
export interface FoundCode {
  readonly actions: readonly ActionMethod[];
  readonly hooks: readonly HookMethod[];
  readonly onHookFailure: (failure: HookFailure) => void;
}

export const NOTHING_FOUND: FoundCode = { actions: [], hooks: [], onHookFailure: () => undefined };

/** What is applied between the plans of requests and the database: rules, hooks and soft delete. */
export interface RowStage {
  /** Null if the application has neither rules nor hooks, and no model has soft delete. */
  readonly rules: RowRules | null;
  /** Null if the application has no hooks. */
  readonly hooks: ApplicationHooks | null;
}

const NO_STAGE: RowStage = { rules: null, hooks: null };

interface StageSetting {
  readonly limits: Limits;
  readonly found: FoundCode;
  readonly problems: ConfigurationProblems;
}

/** Compiles rules, hooks and soft delete. `rules: undefined` is rejected, because it would expose all rows and is most likely a mistake. */
export function rowStage(
  options: ResourceApiOptions | ResourceApiFactoryOptions,
  built: ModelsByGrants | undefined,
  { limits, found, problems }: StageSetting,
): RowStage {
  if (!built) return NO_STAGE;
  const { storage, resources } = built.widest.model;
  const rules = problems.collect(() => ('rules' in options ? compileRules(options.rules, storage, resources) : null));
  const compiled = problems.collect(() => compileHooks(found.hooks, storage)) ?? null;
  const hooks = compiled && new ApplicationHooks(compiled, found.onHookFailure);
  const softDeletes = problems.collect(() => compileSoftDeletes(options.resources, storage)) ?? NO_SOFT_DELETES;
  if (!rules && !hooks && softDeletes.size === 0) return NO_STAGE;
  const { bypassedHooks = [] } = options;
  return { hooks, rules: new RowRules(storage, { rules: rules ?? null, hooks, softDeletes, bypassedHooks, maxRows: limits.maxTake }) };
}

/** Adds to a model which rows its rules and soft delete make visible, if it has any, for `describeSurface` and the boot log. */
export function withRows(model: ResourceModel, rules: RowRules | null): ResourceModel {
  return rules && (rules.rules || rules.softDeletes.size > 0) ? withRowStates(model, rules.rules) : model;
}
