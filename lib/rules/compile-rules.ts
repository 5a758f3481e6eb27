import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { checkName, checkNames, checkObject, mistyped } from '../model/check-option.js';
import { frozenMap } from '../model/freeze.js';
import type { Storage } from '../model/storage/storage.js';
import { ACTIONS } from '../model/surface/rights.js';
import type { Action, Resource } from '../model/surface/surface.js';
import type { Condition } from '../query/condition.js';
import { problemOfRule, readRule } from './read-rule.js';
import { isReasoned, problemOfReason, type Reasoned } from './reason.js';
import type { ModelRules, Rule, RuleFunction, RulesOption, UpdateRule, Where } from './rules-option.js';
import { isObject } from '../utils/is-object.js';

/** The names of a model's rules. An update has two: `using` for the row before it, and `check` for the row after it. */
export type RuleName = 'read' | 'create' | 'using' | 'check' | 'delete';

/** The rules that apply to an action. */
export const RULES_OF: Readonly<Record<Action, readonly RuleName[]>> = {
  read: ['read'],
  create: ['create'],
  update: ['using', 'check'],
  delete: ['delete'],
};

/** One rule, and its place in the options. */
export interface CompiledRule {
  /** Place for the log, e.g. `rules.Post.update.using`. */
  readonly place: string;
  readonly rule: Condition | RuleFunction<unknown, Where>;
  /** Reason that rejected callers receive, unless the function of the rule returns another one. */
  readonly reason?: string;
}

/** The rules of every model, including hidden models, by the Prisma name of the model. */
export type CompiledRules = ReadonlyMap<string, Readonly<Record<RuleName, CompiledRule>>>;

/**
 * Checks the option `rules`, and compiles the rules of every model of the schema.
 *
 * @param exposed the models that need an entry; other models without an entry have `false`
 * @throws ConfigurationError
 */
export function compileRules(rules: RulesOption, storage: Storage, exposed: readonly Pick<Resource, 'model'>[]): CompiledRules {
  if (storage.orm === 'zenstack') {
    throw new ConfigurationError(
      "The option 'rules' is for Prisma clients, and the schema is ZenStack's.",
      "Write the policies in ZModel (@@allow, @@deny), and leave 'rules' out.",
    );
  }
  checkObject('rules', rules, 'an object of rules by model');
  const names = [...storage.byModel.keys()];
  checkAll([
    ...Object.entries(rules).map(([model, entry]) => () => {
      if (model !== '*') checkName(model, { place: 'rules', known: names, kind: 'model of the schema', all: 'The models are' });
      checkModelRules(placeOf(model), entry);
    }),
    ...exposed.map(({ model }) => () => {
      requireEntry(model, rules);
    }),
  ]);
  const compiled = new Map<string, CompiledModel>();
  checkAll(names.map((model) => () => compiled.set(model, compileModel(storage, model, rules))));
  return frozenMap([...compiled]);
}

function requireEntry(model: string, rules: RulesOption): void {
  if (Object.hasOwn(rules, model) || Object.hasOwn(rules, '*')) return;
  throw new ConfigurationError(
    `The model '${model}' has no rules.`,
    `Add rules.${model}, or '*': false for the models without an entry, or hide it: resources.${model}: 'hidden'.`,
  );
}

function placeOf(model: string): string {
  return model === '*' ? "rules['*']" : `rules.${model}`;
}

const MODEL_KEYS: readonly string[] = [...ACTIONS, '*'];
const UPDATE_KEYS: readonly string[] = ['using', 'check'];

function checkModelRules(place: string, entry: unknown): void {
  if (typeof entry === 'boolean') return;
  if (!isObject(entry)) throw mistyped(place, entry, 'true, false or an object of rules by action');
  checkNames(entry, { place, known: MODEL_KEYS, kind: 'action', all: 'The actions are' });
  checkAll(
    Object.entries(entry).map(([action, rule]: readonly [string, unknown]) => () => {
      if (action === 'update' && isUpdateRule(rule)) checkUpdateRule(`${place}.update`, rule);
      else checkRule(`${place}.${action}`, rule, action === 'read');
    }),
  );
}

function checkUpdateRule(place: string, rule: object): void {
  checkNames(rule, { place, known: UPDATE_KEYS, kind: 'part of an update rule', all: 'The parts are' });
  if (!Object.hasOwn(rule, 'using')) {
    throw new ConfigurationError(`${place} has no 'using'.`, 'Say which rows may be updated: using: true means all.');
  }
  checkAll(
    Object.entries(rule).map(([part, value]: readonly [string, unknown]) => () => {
      checkRule(`${place}.${part}`, value);
    }),
  );
}

/** Checks a rule of the options. The result of a function is checked when it is called. */
function checkRule(place: string, rule: unknown, isRead = false): void {
  if (isReasoned(rule)) {
    checkReason(place, rule, isRead);
    return;
  }
  const problem = typeof rule === 'function' ? undefined : problemOfRule(rule);
  if (problem === undefined) return;
  throw new ConfigurationError(`${place} ${problem}`, 'Write a function of the request where the condition is not always the same.');
}

function checkReason(place: string, reasoned: Reasoned<unknown>, isRead: boolean): void {
  const problem = isRead ? 'has a reason, and refuses nobody: what may not be read is not there.' : problemOfReason(reasoned);
  if (problem !== undefined) {
    throw new ConfigurationError(
      `${place} ${problem}`,
      "Write reason('not a member', rule) around the rule of a write, with a text of your own.",
    );
  }
  checkRule(place, reasoned.rule);
}

/**
 * Whether an update rule has the form `{ using, check }`. A `where` on a field of such a name counts as this form, too, and is rejected: write `AND:
 * [{ check: … }]`.
 */
function isUpdateRule(rule: unknown): rule is UpdateRule {
  if (!isObject(rule)) return false;
  const parts = Object.entries(rule).filter(([key]) => UPDATE_KEYS.includes(key));
  return parts.length > 0;
}

type CompiledModel = Readonly<Record<RuleName, CompiledRule>>;

function compileModel(storage: Storage, model: string, rules: RulesOption): CompiledModel {
  const own = Object.hasOwn(rules, model);
  const place = own ? placeOf(model) : placeOf('*');
  const entry = own ? rules[model] : rules['*'];
  const of: ModelRules = typeof entry === 'object' ? entry : { '*': entry ?? false };
  const compiledRules = new Map<string, CompiledRule>();
  const compile = (placed: PlacedRule): CompiledRule => {
    // One rule may apply to several actions.
    const compiled = compiledRules.get(placed.place) ?? compileRule(storage, model, placed, !own);
    compiledRules.set(placed.place, compiled);
    return compiled;
  };
  const rule = (action: Exclude<Action, 'update'>): CompiledRule => compile(ruleOf(of, action, of[action], place));
  const { using, check } = updateRules(of, place);
  return Object.freeze({
    read: rule('read'),
    create: rule('create'),
    using: compile(using),
    check: compile(check),
    delete: rule('delete'),
  });
}

/** A rule as the application has written it. */
interface PlacedRule {
  readonly place: string;
  readonly rule: Rule;
}

function compileRule(storage: Storage, model: string, { place, rule: given }: PlacedRule, isShared: boolean): CompiledRule {
  const [rule, reason] = isReasoned(given) ? [given.rule, { reason: given['~reason'] }] : [given];
  if (typeof rule === 'function') return { place, rule, ...reason };
  try {
    const condition = readRule(storage, model, rule, (problem) => {
      throw new ConfigurationError(`${place} ${problem}`, `Give a Prisma where of ${model}, true, false, or a function of the request.`);
    });
    return { place, rule: condition, ...reason };
  } catch (error) {
    // A rule of `'*'` need not fit every model. If it does not, the error is thrown only when a request needs it.
    if (isShared && error instanceof ConfigurationError) return { place, rule: () => rule, ...reason };
    throw error;
  }
}

function ruleOf(rules: ModelRules, action: Action, own: Rule | undefined, place: string): PlacedRule {
  if (own !== undefined) return { place: `${place}.${action}`, rule: own };
  return { place: `${place}['*']`, rule: rules['*'] ?? false };
}

/** Returns the rules for the row before an update, and for the row after it. */
function updateRules(rules: ModelRules, place: string): Readonly<Record<'using' | 'check', PlacedRule>> {
  const { update } = rules;
  if (!isUpdateRule(update)) {
    const rule = ruleOf(rules, 'update', update, place);
    return { using: rule, check: rule };
  }
  const using = { place: `${place}.update.using`, rule: update.using };
  return { using, check: update.check === undefined ? using : { place: `${place}.update.check`, rule: update.check } };
}
