import type { Storage } from '../model/storage/storage.js';
import type { Condition } from '../query/condition.js';
import type { CompiledRule, CompiledRules, RuleName } from './compile-rules.js';
import { readRule } from './read-rule.js';
import { isReasoned, problemOfReason } from './reason.js';
import { type Reason, RuleError } from './refusals.js';

/** The rules of one request. Each rule is evaluated when it is first needed, and at most once. */
export class CallerRules {
  /** Evaluated conditions, by model and place. One rule may apply to several actions. */
  private readonly evaluated = new Map<string, Promise<Condition>>();
  /** Reasons that the functions of rules have returned, by the same keys. */
  private readonly reasons = new Map<string, string>();

  constructor(
    private readonly rules: CompiledRules,
    private readonly storage: Storage,
    /** The request object of the platform. */
    private readonly request: unknown,
  ) {}

  /**
   * Evaluates one rule.
   *
   * @throws RuleError if the rule throws, or returns anything but a condition on the model
   */
  evaluate(model: string, name: RuleName): Promise<Condition> {
    const compiled = this.rules.get(model)?.[name];
    if (!compiled) throw new RuleError(`rules.${model}.${name}`, 'is needed, but the schema has no such model.');
    const key = serializeRule(model, compiled);
    let condition = this.evaluated.get(key);
    if (!condition) {
      condition = this.read(model, compiled);
      this.evaluated.set(key, condition);
    }
    return condition;
  }

  /** Evaluates all rules of models. @throws RuleError as {@link evaluate} does */
  async evaluateAll(models: readonly string[]): Promise<CompiledRules> {
    const evaluated = models.map(async (model) => {
      const of = async (name: RuleName): Promise<CompiledRule> => ({
        place: `rules.${model}.${name}`,
        rule: await this.evaluate(model, name),
      });
      const [read, create, using, check, remove] = await Promise.all([of('read'), of('create'), of('using'), of('check'), of('delete')]);
      return [model, { read, create, using, check, delete: remove }] as const;
    });
    return new Map(await Promise.all(evaluated));
  }

  /** Returns the reason with which a rule rejects a write, once the rule is evaluated. */
  reasonOf(model: string, name: RuleName): Reason | undefined {
    const compiled = this.rules.get(model)?.[name];
    if (!compiled) return undefined;
    const text = this.reasons.get(serializeRule(model, compiled)) ?? compiled.reason;
    return text === undefined ? undefined : { text, place: compiled.place };
  }

  private async read(model: string, compiled: CompiledRule): Promise<Condition> {
    const { place, rule } = compiled;
    if (typeof rule !== 'function') return rule;
    let given: unknown;
    try {
      // The rules of the application declare the type of the request.
      given = await rule(this.request);
    } catch (cause) {
      throw new RuleError(place, `threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
    if (isReasoned(given)) {
      const problem = problemOfReason(given);
      if (problem !== undefined) throw new RuleError(place, problem);
      this.reasons.set(serializeRule(model, compiled), given['~reason']);
      given = given.rule;
    }
    return readRule(this.storage, model, given, (problem) => {
      throw new RuleError(place, problem);
    });
  }
}

function serializeRule(model: string, { place }: CompiledRule): string {
  return `${model} ${place}`;
}
