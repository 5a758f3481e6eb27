import type { DataClient } from '../executor/data-client.js';
import type { Executor } from '../executor/executor.js';
import { callsOf, type DataCall, type Plan, type RuledPlan, unruled } from '../executor/plan.js';
import { delegateOf } from '../model/exposure/naming.js';
import { selectKeys } from '../executor/select-keys.js';
import { ApiError } from '../errors/api-error.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import type { Surface } from '../model/surface/surface.js';
import { ALWAYS, and, type Condition, not, uniqueAsCondition } from '../query/condition.js';
import { isWrite, type Query } from '../query/query.js';
import { countRows, type FindUnique } from '../query/read.js';
import { CallerRules } from './caller-rules.js';
import type { CompiledRules, RuleName } from './compile-rules.js';
import { checkExtensions, requireTransactions } from './check-client.js';
import { isPresent, restoreRow } from './soft-deleted-rows.js';
import { isObserved, type NeededRule, neededRules, ruleKey } from './required-rules.js';
import { refusedByRule } from './refusals.js';
import type { RowHooks, WriteObserver } from './write-observer.js';
import { KnownRows, linkFields } from './rows.js';
import { RuleSet } from './rule-set.js';
import { ruledExecutor } from './ruled-executor.js';
import { ruledRow } from './ruled-condition.js';
import { ruledPlan } from './ruled-reads.js';
import { NO_SOFT_DELETES, type SoftDeletes } from './soft-deletes.js';

/** What stands for a request: rules are evaluated once for each. */
export interface CallerContext {
  /** The platform's own. */
  readonly request?: object;
  /** What rules are evaluated once for. @default the exchange */
  readonly caller?: object;
  /** What the caller is shown. */
  readonly shown?: Surface;
}

/** Where a plan is run, and what it may see. */
export interface PlanScope {
  /** Of the transaction that the plan is run in, if somebody else commits it. */
  readonly open?: WriteObserver;
  /** That what is deleted is there for nobody, whatever the plan. */
  readonly rows?: 'present';
  /** That writes are executed row by row, also without rules: so that every condition holds when a row is written, and versions are counted. */
  readonly isApart?: boolean;
}

/** What all callers are held to. */
interface RowRulesOptions {
  /** Null where the host gives none: everything is open that is there. */
  readonly rules: CompiledRules | null;
  readonly hooks?: RowHooks | null;
  readonly softDeletes?: SoftDeletes;
  /** How many rows one write may look at (`limits.maxTake`). */
  readonly maxRows: number;
  /** The option `bypassedHooks`. */
  readonly bypassedHooks?: readonly string[];
}

/** The stage between planning and running: a plan is run as its caller. */
export class RowRules {
  readonly rules: CompiledRules | null;
  readonly softDeletes: SoftDeletes;
  /** By what the platform keeps of a request. */
  private readonly callers = new WeakMap<object, CallerRules>();

  constructor(
    private readonly storage: Storage,
    private readonly options: RowRulesOptions,
  ) {
    this.rules = options.rules;
    this.softDeletes = options.softDeletes ?? NO_SOFT_DELETES;
  }

  /**
   * Checks a client that plans are to be run on.
   *
   * @returns what to warn of
   * @throws ConfigurationError for one that rules cannot be kept on
   */
  check(client: DataClient): string | undefined {
    const keeps = this.softDeletes.size > 0;
    const { needs, stage } = this.rules ? STAGES.rules : keeps ? STAGES.softDelete : STAGES.hooks;
    requireTransactions(client, [...this.storage.byModel.keys()].map(delegateOf), needs);
    return checkExtensions(client, { stage, keeps, accepted: this.options.bypassedHooks ?? [] });
  }

  /**
   * Evaluates the rules that a plan needs, before its first statement.
   *
   * What is deleted is there for those alone to whom it is shown, and for what writes for nobody.
   *
   * @param exchange rules are evaluated once for each
   * @throws RuleError where a rule gives no condition
   */
  async of(plan: Plan, exchange: CallerContext, scope: PlanScope = {}): Promise<RuledPlan> {
    const queries = callsIn(plan).map(({ query }) => query);
    const isWriting = queries.some(isWrite);
    const needed = isWriting || this.holdsReads ? neededRules(queries) : [];
    const conditions = await this.evaluated(needed, exchange, isWriting ? undefined : shownTo(exchange, scope));
    const isOpen = [...conditions.values()].every(({ kind }) => kind === 'always');
    const told = this.observerOf(needed, exchange, scope);
    // Where nothing is closed to the caller, and nobody is told of what it writes, the plan is run as it is.
    if (isOpen && !told && !scope.isApart) return unruled(plan);
    const { maxRows } = this.options;
    const rules = this.ruleSet(isOpen ? null : conditions, exchange);
    const session = { rules, maxRows, ...(told && { told }) };
    // What one run has found is not known to the next.
    const asCaller = (host: Executor): Executor => ruledExecutor({ ...session, host, known: new KnownRows(checksOf(plan)) });
    return { reads: ruledPlan(rules, plan), asCaller, writes: heldTo(told) };
  }

  /** Whether writes count versions. */
  get isVersioned(): boolean {
    return this.storage.isVersioned;
  }

  /** Whether more than writes concern it. */
  private get holdsReads(): boolean {
    return this.rules !== null || this.softDeletes.size > 0;
  }

  /** Who is told of what a plan writes. */
  private observerOf(needed: readonly NeededRule[], exchange: CallerContext, { open }: PlanScope): WriteObserver | undefined {
    const { hooks } = this.options;
    return hooks && isObserved(hooks, needed, this.softDeletes) ? (open ?? hooks.begin(exchange)) : undefined;
  }

  /** For a transaction that somebody else commits, and in which plans are run; undefined where nobody is told of what they write. */
  begin(exchange: CallerContext): WriteObserver | undefined {
    return this.options.hooks?.begin(exchange);
  }

  /**
   * Asks a rule of its model for the row that has a key.
   *
   * @throws ApiError for a row that it does not reach; RuleError as {@link of} does
   */
  async requireReached(host: Executor, { model, where }: NamedRow, name: RuleName, exchange: CallerContext): Promise<void> {
    const rule = await this.ruleOf(model, name, exchange);
    if (rule.kind === 'always') return;
    const isReached = rule.kind !== 'never' && (await host.run(countRows({ model, where: and(uniqueAsCondition(where), rule) }))) !== 0;
    if (!isReached) throw this.refusal(model, name, exchange);
  }

  /**
   * Restores a row, and what was deleted together with it. It takes the right to delete it.
   *
   * @throws ApiError for a row that is not deleted or may not be read, for one that may not be deleted, and the unmet requirement; RuleError as
   *   {@link of} does
   */
  async restore(host: Executor, { model, where }: NamedRow, exchange: CallerContext, { told, unmet }: Restoring): Promise<void> {
    const soft = this.softDeletes.get(model.model);
    if (!soft) throw new TypeError(`${model.model} has no softDelete.`);
    const { selection } = selectKeys(linkFields(model), [soft.field.name]);
    const query = { kind: 'find-unique', model, where, selection, isRequired: false } as const;
    const rules = this.ruleSet(await this.evaluated(neededRules([query]), exchange), exchange);
    const [readable, deletable] = [await this.ruleOf(model, 'read', exchange), await this.ruleOf(model, 'delete', exchange)];
    const deleted = { ...query, where: ruledRow(rules, where, readable, not(isPresent(soft))) };
    // Whoever may not read the row does not lock it.
    const named = { ...deleted, where: ruledRow(rules, { keys: where.keys, more: ALWAYS }, readable, not(isPresent(soft))) };
    if ((await host.run(named)) === null) throw notDeleted();
    await host.lock?.(where, this.storage.provider);
    const row = await host.run(deleted);
    const refusal = await unmet(row !== null);
    if (row === null) throw refusal ?? notDeleted();
    const session = { host, rules, maxRows: this.options.maxRows, known: new KnownRows(new Set()), ...(told && { told }) };
    const count = await restoreRow(session, model, row, and(readable, deletable));
    if (count === 0) throw this.refusal(model, 'delete', exchange);
    if (refusal) throw refusal;
  }

  /** The conditions of rules, those of what is there among them. */
  private async evaluated(
    needed: readonly NeededRule[],
    exchange: CallerContext,
    shown?: Surface,
  ): Promise<ReadonlyMap<string, Condition>> {
    const conditions = needed.map(async ({ model, name }) => {
      const rule = await this.ruleOf({ model }, name, exchange);
      return [ruleKey(model, name), name === 'read' ? and(rule, this.present(model, shown)) : rule] as const;
    });
    return new Map(await Promise.all(conditions));
  }

  /** Of a model that keeps what is deleted the rows that are there. */
  private present(model: string, shown: Surface | undefined): Condition {
    const soft = this.softDeletes.get(model);
    return !soft || shown?.byModel.get(model)?.softDelete?.isShown === true ? ALWAYS : isPresent(soft);
  }

  private ruleSet(conditions: ReadonlyMap<string, Condition> | null, exchange: CallerContext): RuleSet {
    return new RuleSet(this.storage, conditions, this.softDeletes, this.callerOf(exchange));
  }

  private async ruleOf({ model }: Pick<StoredModel, 'model'>, name: RuleName, exchange: CallerContext): Promise<Condition> {
    return this.callerOf(exchange)?.evaluate(model, name) ?? ALWAYS;
  }

  private refusal({ model }: StoredModel, name: RuleName, exchange: CallerContext): ApiError {
    return refusedByRule(this.callerOf(exchange)?.reasonOf(model, name), 'You are not allowed to do this to this record.');
  }

  private callerOf(exchange: CallerContext): CallerRules | undefined {
    if (!this.rules) return undefined;
    const { caller: key = exchange } = exchange;
    const known = this.callers.get(key);
    if (known) return known;
    const caller = new CallerRules(this.rules, this.storage, exchange.request);
    this.callers.set(key, caller);
    return caller;
  }
}

/** How a row is restored. */
interface Restoring {
  /** The observers of the transaction that it is done in. */
  readonly told?: WriteObserver;
  /**
   * Returns why the request is refused, once the row is locked; undefined where the row is as required.
   *
   * @param isFound whether the row meets the conditions beside its key
   */
  readonly unmet: (isFound: boolean) => Promise<ApiError | undefined>;
}

/** What is shown of soft-deleted rows decides only where a plan sees them at all. */
function shownTo({ shown }: CallerContext, { rows }: PlanScope): Surface | undefined {
  return rows === 'present' ? undefined : shown;
}

function notDeleted(): ApiError {
  return new ApiError('not-found', 'There is no such record among those that were deleted.');
}

type NamedRow = Pick<FindUnique, 'model' | 'where'>;

/** Who takes writes apart, for the texts of the log. */
const STAGES = {
  rules: { needs: "The option 'rules' needs", stage: 'rules' },
  softDelete: { needs: "The option 'softDelete' needs", stage: 'soft delete' },
  hooks: { needs: 'Hooks of @ResourceHooks need', stage: 'hooks of @ResourceHooks' },
} as const;

/** The queries whose rows later ones refer to. */
export function checksOf(plan: Plan): ReadonlySet<Query> {
  return new Set(callsIn(plan).flatMap(({ query, expect }) => (expect?.kind === 'all-found' ? [query] : [])));
}

/** All calls of a plan, those that are made before others among them. */
function callsIn(plan: Plan): readonly DataCall[] {
  return callsOf(plan).flatMap((call) => [...(call.before ?? []), call]);
}

function heldTo(told: WriteObserver | undefined): RuledPlan['writes'] {
  return told ? 'told' : 'ruled';
}
