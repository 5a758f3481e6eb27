import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import { callsIn, type Enforcement, withoutRules } from '../executor/plan.js';
import type { Run } from '../executor/run.js';
import { selectKeys } from '../executor/loading/select-keys.js';
import { ApiError } from '../errors/api-error.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import type { Surface } from '../model/surface/surface.js';
import { ALWAYS, and, type Condition, not, uniqueAsCondition } from '../query/condition.js';
import { countRows, type FindUnique } from '../query/read.js';
import { CallerRules } from './caller-rules.js';
import type { CompiledRules, RuleName } from './compile-rules.js';
import { checkExtensions, requireTransactions } from './check-client.js';
import { isLive, restoreRow } from './soft-deleted-rows.js';
import { isObserved, type NeededRule, neededRules, ruleKey } from './required-rules.js';
import { refusedByRule } from './refusals.js';
import type { RowHooks, WriteObserver } from './write-observer.js';
import { FoundRows, linkFields } from './rows.js';
import { RuleSet } from './rule-set.js';
import { enforcedBy } from './ruled-executor.js';
import { ruledRow } from './ruled-condition.js';
import { NO_SOFT_DELETES, type SoftDeletes } from './soft-deletes.js';

/** The caller of a request. Each rule is evaluated once for a caller. */
export interface CallerContext {
  /** The request object of the platform. */
  readonly request?: object;
  /** The results of rules are cached by this object. @default the context itself */
  readonly caller?: object;
  /** The surface of the caller. */
  readonly visibleModel?: Surface;
}

/** Where a plan is run, and which rows it can read. */
export interface PlanScope {
  /** The observer of the transaction in which the plan is run, if other code commits that transaction. */
  readonly open?: WriteObserver;
  /** Hides soft-deleted rows, even if the surface exposes them. */
  readonly rows?: 'present';
  /** Whether writes are executed row by row even without rules. Then every condition holds when a row is written, and versions are incremented. */
  readonly isRowByRow?: boolean;
}

/** Options of {@link RowRules}, which apply to all callers. */
interface RowRulesOptions {
  /** Null if the application has no rules. Then every live row may be read and written. */
  readonly rules: CompiledRules | null;
  readonly hooks?: RowHooks | null;
  readonly softDeletes?: SoftDeletes;
  /** Maximum number of rows that one write may read (`limits.maxTake`). */
  readonly maxRows: number;
  /** The option `bypassedHooks`. */
  readonly bypassedHooks?: readonly string[];
}

/** Applies rules, soft delete and hooks to plans, between planning and execution. */
export class RowRules {
  readonly rules: CompiledRules | null;
  readonly softDeletes: SoftDeletes;
  /** The rules of each caller, by the object that they are evaluated for. */
  private readonly callers = new WeakMap<object, CallerRules>();

  constructor(
    private readonly storage: Storage,
    private readonly options: RowRulesOptions,
  ) {
    this.rules = options.rules;
    this.softDeletes = options.softDeletes ?? NO_SOFT_DELETES;
  }

  /**
   * Checks a client on which plans will run.
   *
   * @returns the warning to log, if any
   * @throws ConfigurationError for a client on which rules cannot be enforced
   */
  check(client: DataClient): string | undefined {
    const keeps = this.softDeletes.size > 0;
    const { needs, stage } = this.rules ? DECOMPOSING_STAGES.rules : keeps ? DECOMPOSING_STAGES.softDelete : DECOMPOSING_STAGES.hooks;
    requireTransactions(
      client,
      [...this.storage.byModel.values()].map(({ delegate }) => delegate),
      needs,
    );
    return checkExtensions(client, { stage, keeps, accepted: this.options.bypassedHooks ?? [] });
  }

  /**
   * Evaluates the rules that a plan needs, before its first statement.
   *
   * Soft-deleted rows are visible only to reads, and only if the surface of the caller exposes them.
   *
   * @param context the caller; rules are evaluated once for each
   * @throws RuleError if a rule returns no condition
   */
  async of(run: Pick<Run, 'plan' | 'isWrite'>, context: CallerContext, scope: PlanScope = {}): Promise<Enforcement> {
    const { plan, isWrite } = run;
    const needed = isWrite || this.restrictsReads ? neededRules(callsIn(plan).map(({ query }) => query)) : [];
    const conditions = await this.evaluated(needed, context, isWrite ? undefined : surfaceFor(context, scope));
    const isOpen = [...conditions.values()].every(({ kind }) => kind === 'always');
    const observer = this.observerOf(needed, context, scope);
    // If no rule restricts the caller, and no hook observes the writes, the plan runs unchanged.
    if (isOpen && !observer && !scope.isRowByRow) return withoutRules(plan);
    const rules = this.ruleSet(isOpen ? null : conditions, context);
    return enforcedBy({ rules, maxRows: this.options.maxRows, ...(observer && { observer }) }, run);
  }

  /**
   * Returns the rules of models as they are for one caller: each function of the request is evaluated.
   *
   * @returns null if the application has no rules
   * @throws RuleError as {@link of} does
   */
  async rulesFor(models: readonly string[], context: CallerContext): Promise<CompiledRules | null> {
    return this.callerOf(context)?.evaluateAll(models) ?? null;
  }

  /** Whether writes increment versions. */
  get isVersioned(): boolean {
    return this.storage.isVersioned;
  }

  /** Whether reads need rules, too. */
  private get restrictsReads(): boolean {
    return this.rules !== null || this.softDeletes.size > 0;
  }

  /** Returns the observer of the writes of a plan; undefined if no hook observes them. */
  private observerOf(needed: readonly NeededRule[], context: CallerContext, { open }: PlanScope): WriteObserver | undefined {
    const { hooks } = this.options;
    return hooks && isObserved(hooks, needed, this.softDeletes) ? (open ?? hooks.begin(context)) : undefined;
  }

  /** Returns an observer for a transaction that other code commits, and in which plans run; undefined if there are no hooks. */
  begin(context: CallerContext): WriteObserver | undefined {
    return this.options.hooks?.begin(context);
  }

  /**
   * Checks that a rule allows the row of a key.
   *
   * @throws ApiError for a row that the rule excludes; RuleError as {@link of} does
   */
  async requireReached(executor: Executor, { model, where }: NamedRow, name: RuleName, context: CallerContext): Promise<void> {
    const rule = await this.ruleOf(model, name, context);
    if (rule.kind === 'always') return;
    const isReached = rule.kind !== 'never' && (await executor.run(countRows({ model, where: and(uniqueAsCondition(where), rule) }))) !== 0;
    if (!isReached) throw this.refusal(model, name, context);
  }

  /**
   * Restores a soft-deleted row, and the rows that were deleted together with it. The caller must have the right to delete it.
   *
   * @throws ApiError for a row that is not soft-deleted, that may not be read, or that may not be deleted, and the unmet requirement; RuleError as
   * {@link of} does
   */
  async restore(executor: Executor, { model, where }: NamedRow, context: CallerContext, { observer, unmet }: Restoring): Promise<void> {
    const soft = this.softDeletes.get(model.model);
    if (!soft) throw new TypeError(`${model.model} has no softDelete.`);
    const { selection } = selectKeys(linkFields(model), [soft.field.name]);
    const query = { kind: 'find-unique', model, where, selection, isRequired: false } as const;
    const rules = this.ruleSet(await this.evaluated(neededRules([query]), context), context);
    const [readable, deletable] = [await this.ruleOf(model, 'read', context), await this.ruleOf(model, 'delete', context)];
    const deleted = { ...query, where: ruledRow(rules, where, readable, not(isLive(soft))) };
    // A row that the caller may not read is not locked.
    const named = { ...deleted, where: ruledRow(rules, { keys: where.keys, more: ALWAYS }, readable, not(isLive(soft))) };
    if ((await executor.run(named)) === null) throw notDeleted();
    await executor.lock?.(where, this.storage.provider);
    const row = await executor.run(deleted);
    const refusal = await unmet(row !== null);
    if (row === null) throw refusal ?? notDeleted();
    const session = { executor, rules, maxRows: this.options.maxRows, foundRows: new FoundRows(new Set()), ...(observer && { observer }) };
    const count = await restoreRow(session, model, row, and(readable, deletable));
    if (count === 0) throw this.refusal(model, 'delete', context);
    if (refusal) throw refusal;
  }

  /** Returns the conditions of rules. Those of `read` include the condition of live rows. */
  private async evaluated(
    needed: readonly NeededRule[],
    context: CallerContext,
    surface?: Surface,
  ): Promise<ReadonlyMap<string, Condition>> {
    const conditions = needed.map(async ({ model, name }) => {
      const rule = await this.ruleOf({ model }, name, context);
      return [ruleKey(model, name), name === 'read' ? and(rule, this.liveRows(model, surface)) : rule] as const;
    });
    return new Map(await Promise.all(conditions));
  }

  /** Compiles the condition of the live rows of a model, unless soft-deleted rows are visible. */
  private liveRows(model: string, surface: Surface | undefined): Condition {
    const soft = this.softDeletes.get(model);
    return !soft || surface?.byModel.get(model)?.softDelete?.isShown === true ? ALWAYS : isLive(soft);
  }

  private ruleSet(conditions: ReadonlyMap<string, Condition> | null, context: CallerContext): RuleSet {
    return new RuleSet(this.storage, conditions, this.softDeletes, this.callerOf(context));
  }

  private async ruleOf({ model }: Pick<StoredModel, 'model'>, name: RuleName, context: CallerContext): Promise<Condition> {
    return this.callerOf(context)?.evaluate(model, name) ?? ALWAYS;
  }

  private refusal({ model }: StoredModel, name: RuleName, context: CallerContext): ApiError {
    return refusedByRule(this.callerOf(context)?.reasonOf(model, name), 'You are not allowed to do this to this record.');
  }

  private callerOf(context: CallerContext): CallerRules | undefined {
    if (!this.rules) return undefined;
    const { caller: key = context } = context;
    const existing = this.callers.get(key);
    if (existing) return existing;
    const caller = new CallerRules(this.rules, this.storage, context.request);
    this.callers.set(key, caller);
    return caller;
  }
}

/** How a row is restored. */
interface Restoring {
  /** The observer of the transaction in which the row is restored. */
  readonly observer?: WriteObserver;
  /**
   * Returns the error of an unmet precondition, once the row is locked; undefined if the preconditions are met.
   *
   * @param isFound whether the row meets the conditions that its `where` has in addition to the key
   */
  readonly unmet: (isFound: boolean) => Promise<ApiError | undefined>;
}

/** Returns the surface that decides whether soft-deleted rows are visible; undefined for a plan that never reads them. */
function surfaceFor({ visibleModel }: CallerContext, { rows }: PlanScope): Surface | undefined {
  return rows === 'present' ? undefined : visibleModel;
}

function notDeleted(): ApiError {
  return new ApiError('not-found', 'There is no such record among those that were deleted.');
}

type NamedRow = Pick<FindUnique, 'model' | 'where'>;

/** The stages that decompose writes, for messages. */
const DECOMPOSING_STAGES = {
  rules: { needs: "The option 'rules' needs", stage: 'rules' },
  softDelete: { needs: "The option 'softDelete' needs", stage: 'soft delete' },
  hooks: { needs: 'Hooks of @ResourceHooks need', stage: 'hooks of @ResourceHooks' },
} as const;
