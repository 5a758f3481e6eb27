import type { CompiledRule, CompiledRules, RuleName } from './compile-rules.js';
import { readCondition } from './read-condition.js';
import { RuleError } from './rule-error.js';
import type { Condition } from './rules-option.js';

/** The rules of one request: each is evaluated when it is first needed, and never again. */
export class CallerRules {
  /** One rule may stand for several actions. */
  private readonly evaluated = new Map<string, Promise<Condition>>();

  constructor(
    private readonly rules: CompiledRules,
    /** The platform's own. */
    private readonly request: unknown,
  ) {}

  /** @throws RuleError where the rule throws, or gives something else than a condition */
  evaluate(model: string, name: RuleName): Promise<Condition> {
    const compiled = this.rules.get(model)?.[name];
    if (!compiled) throw new RuleError(`rules.${model}.${name}`, 'is asked for, and the schema has no such model.');
    const key = `${model} ${compiled.place}`;
    let condition = this.evaluated.get(key);
    if (!condition) {
      condition = evaluateRule(compiled, this.request);
      this.evaluated.set(key, condition);
    }
    return condition;
  }
}

async function evaluateRule({ place, rule }: CompiledRule, request: unknown): Promise<Condition> {
  if (typeof rule !== 'function') return rule;
  let given: unknown;
  try {
    // The request is of the type that the host has named in its rules.
    given = await rule(request as never);
  } catch (cause) {
    throw new RuleError(place, `threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  return readCondition(given, (problem) => {
    throw new RuleError(place, problem);
  });
}
