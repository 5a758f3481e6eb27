import type { DataClient } from '../data-client/data-client.js';
import type { Plan } from '../data-client/plan.js';
import type { Storage } from '../model/storage/storage.js';
import { CallerRules } from './caller-rules.js';
import type { CompiledRules } from './compile-rules.js';
import { neededRules } from './needed-rules.js';
import { normalize } from './normalize.js';
import { ruleReads } from './rule-reads.js';
import { modelsByDelegate, ruleKey, RuleSet } from './rule-set.js';
import { ruledClient } from './ruled-client.js';

/** A plan for its caller. */
export interface RuledPlan {
  /** The same plan with its rules among its arguments, for what runs plans itself; undefined where that would not be all. */
  readonly reads: Plan | undefined;
  /** The client that the plan itself is run on. */
  readonly asCaller: (client: DataClient) => DataClient;
}

/** The stage between planning and running: a plan is run as its caller. */
export class RowRules {
  /** By what the platform keeps of a request. */
  private readonly callers = new WeakMap<object, CallerRules>();
  private readonly models: ReadonlyMap<string, string>;

  constructor(
    readonly rules: CompiledRules,
    private readonly storage: Storage,
    /** How many rows one write may look at (`limits.maxTake`). */
    private readonly maxRows: number,
  ) {
    this.models = modelsByDelegate(storage);
  }

  /**
   * Evaluates the rules that a plan needs, before its first statement.
   *
   * @param exchange what stands for the request: rules are evaluated once for each
   * @throws RuleError where a rule gives no condition
   */
  async of(plan: Plan, exchange: { readonly request?: object }): Promise<RuledPlan> {
    const needed = neededRules(plan, this.storage, this.models);
    const caller = this.callerOf(exchange);
    const conditions = await Promise.all(
      needed.map(async ({ model, name }) => {
        const condition = await caller.evaluate(model, name);
        return [ruleKey(model, name), normalize(this.storage, model, condition)] as const;
      }),
    );
    // Where nothing is closed to the caller the plan is run as it is.
    if (conditions.every(([, condition]) => condition === true)) return { reads: plan, asCaller: (client) => client };
    const rules = new RuleSet(this.storage, new Map(conditions));
    const { models, maxRows } = this;
    return { reads: ruleReads(rules, plan, models), asCaller: (client) => ruledClient({ client, rules, models, maxRows }) };
  }

  private callerOf(exchange: { readonly request?: object }): CallerRules {
    const known = this.callers.get(exchange);
    if (known) return known;
    const caller = new CallerRules(this.rules, exchange.request);
    this.callers.set(exchange, caller);
    return caller;
  }
}
