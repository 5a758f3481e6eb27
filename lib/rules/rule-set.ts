import type { ApiError } from '../errors/api-error.js';
import type { Storage, StoredModel } from '../model/storage/storage.js';
import { ALWAYS, type Condition } from '../query/condition.js';
import type { CallerRules } from './caller-rules.js';
import type { RuleName } from './compile-rules.js';
import { definite } from './null-safe-condition.js';
import { ruleKey } from './required-rules.js';
import { refusedByRule, RuleError } from './refusals.js';
import type { SoftDelete, SoftDeletes } from './soft-deletes.js';

/** The conditions of one caller that a plan needs, evaluated before its first statement. */
export class RuleSet {
  private readonly definites = new Map<StoredModel, Condition>();
  #isForSql = false;

  /** @param conditions null where everything is open */
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

  /** @throws RuleError for one that was not foreseen: nothing is open by oversight */
  of({ model }: StoredModel, name: RuleName): Condition {
    const condition = this.conditions ? this.conditions.get(ruleKey(model, name)) : ALWAYS;
    if (condition === undefined) throw new RuleError(`rules.${model}.${name}`, 'is asked for, and was not evaluated.');
    return condition;
  }

  /** A write that a rule refuses, with the reason of the rule. */
  refusal({ model }: StoredModel, name: RuleName): ApiError {
    return refusedByRule(this.caller?.reasonOf(model, name));
  }

  /** How records of a model are deleted that are kept; undefined where they are gone. */
  softDelete({ model }: StoredModel): SoftDelete | undefined {
    return this.softDeletes?.get(model);
  }

  /** Whether every row of a model may be read. */
  isOpen(model: StoredModel): boolean {
    return this.of(model, 'read').kind === 'always';
  }

  /**
   * The rows of a model that may be read, by a condition that is true or false of every row.
   *
   * @throws ApiError where the rule compares what may be null in a way that nothing can be added to
   */
  definite(model: StoredModel): Condition {
    let condition = this.definites.get(model);
    if (!condition) {
      condition = definite(this.of(model, 'read'));
      this.definites.set(model, condition);
    }
    return condition;
  }
}
