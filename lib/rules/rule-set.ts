import { delegateOf } from '../model/exposure/naming.js';
import type { Storage, StoredModel, StoredRelation } from '../model/storage/storage.js';
import { storedModel } from '../model/storage/stored-model.js';
import type { RuleName } from './compile-rules.js';
import { RuleError } from './rule-error.js';
import { noRow } from './normalize.js';
import type { Condition, Where } from './rules-option.js';

/** The conditions of one caller that a plan needs, evaluated before its first statement, and normalized. */
export class RuleSet {
  constructor(
    readonly storage: Storage,
    private readonly conditions: ReadonlyMap<string, Condition>,
  ) {}

  /** @throws RuleError for one that was not foreseen: nothing is open by oversight */
  of(model: string, name: RuleName): Condition {
    const condition = this.conditions.get(ruleKey(model, name));
    if (condition === undefined) throw new RuleError(`rules.${model}.${name}`, 'is asked for, and was not evaluated.');
    return condition;
  }

  /** {@link of} as a `where`; undefined where every row meets it. */
  where(model: string, name: RuleName): Where | undefined {
    const condition = this.of(model, name);
    if (condition === true) return undefined;
    return condition === false ? noRow(this.storage, model) : condition;
  }

  model(model: string): StoredModel {
    return storedModel(this.storage, model);
  }

  relation(model: string, name: string): StoredRelation | undefined {
    return this.model(model).relations.get(name);
  }
}

export function ruleKey(model: string, name: RuleName): string {
  return `${model}.${name}`;
}

/** The models by the properties of a client that serve them. */
export function modelsByDelegate(storage: Storage): ReadonlyMap<string, string> {
  return new Map([...storage.byModel.keys()].map((model) => [delegateOf(model), model]));
}
