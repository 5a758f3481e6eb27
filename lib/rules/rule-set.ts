import type { ApiError } from '../errors/api-error.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { ALWAYS, type Condition } from '../query/condition.js';
import type { CallerRules } from './caller-rules.js';
import type { RuleName } from './compile-rules.js';
import { nullSafe } from './null-safe-condition.js';
import { ruleKey } from './required-rules.js';
import { refusedByRule, RuleError } from './refusals.js';
import type { SoftDelete, SoftDeletes } from './soft-deletes.js';

/** The conditions of one caller that a plan needs, evaluated before its first statement. */
export class RuleSet {
  private readonly nullSafeReads = new Map<StoredModel, Condition>();
  #isForSql = false;

  /** @param conditions null if no rule restricts the caller */
  constructor(
    readonly storage: Storage,
    private readonly conditions: ReadonlyMap<string, Condition> | null,
    private readonly softDeletes?: SoftDeletes,
    private readonly caller?: CallerRules,
  ) {}

  /** Returns the same rules for queries that are compiled to SQL, where a rule can be a condition of every join. */
  forSql(): RuleSet {
    const rules = new RuleSet(this.storage, this.conditions, this.softDeletes, this.caller);
    rules.#isForSql = true;
    return rules;
  }

  get isForSql(): boolean {
    return this.#isForSql;
  }

  /**
   * Returns the condition of a rule.
   *
   * @throws RuleError for a rule that was not evaluated, so that no row is exposed by mistake
   */
  of({ model }: StoredModel, name: RuleName): Condition {
    const condition = this.conditions ? this.conditions.get(ruleKey(model, name)) : ALWAYS;
    if (condition === undefined) throw new RuleError(`rules.${model}.${name}`, 'is needed, but was not evaluated.');
    return condition;
  }

  /** Creates the error of a write that a rule rejects, with the reason of the rule. */
  refusal({ model }: StoredModel, name: RuleName): ApiError {
    return refusedByRule(this.caller?.reasonOf(model, name));
  }

  /** Returns the soft delete of a model; undefined if its rows are really deleted. */
  softDelete({ model }: StoredModel): SoftDelete | undefined {
    return this.softDeletes?.get(model);
  }

  /** Whether every row of a model may be read. */
  isOpen(model: StoredModel): boolean {
    return this.of(model, 'read').kind === 'always';
  }

  /**
   * Returns the condition of the readable rows of a model, in a form that is true or false for every row.
   *
   * @throws ApiError if the rule compares nullable values in a way that cannot be made null-safe
   */
  nullSafeRead(model: StoredModel): Condition {
    let condition = this.nullSafeReads.get(model);
    if (!condition) {
      condition = nullSafe(this.of(model, 'read'));
      this.nullSafeReads.set(model, condition);
    }
    return condition;
  }
}
