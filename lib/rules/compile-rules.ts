import { checkAll } from '../errors/check-all.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { checkName, checkNames, checkObject, mistyped } from '../model/check-option.js';
import { frozenMap } from '../model/freeze.js';
import type { ResourceSchema } from '../model/schema/resource-schema.js';
import { ACTIONS } from '../model/surface/rights.js';
import type { Action, Resource } from '../model/surface/surface.js';
import { readCondition } from './read-condition.js';
import type { ModelRules, Rule, RulesOption, UpdateRule } from './rules-option.js';
import { isObject } from '../utils/is-object.js';

/** What a rule decides: an update has one for the row before, and one for the row after it. */
export type RuleName = 'read' | 'create' | 'using' | 'check' | 'delete';

export const RULE_NAMES: readonly RuleName[] = ['read', 'create', 'using', 'check', 'delete'];

/** One rule, and how the log calls it. */
export interface CompiledRule {
  /** E.g. `rules.Post.update.using`. */
  readonly place: string;
  readonly rule: Rule;
}

/** The rules of every model, hidden ones among them, by Prisma's name. */
export type CompiledRules = ReadonlyMap<string, Readonly<Record<RuleName, CompiledRule>>>;

/**
 * Checks the option `rules`, and gives every model of the schema its rules.
 *
 * @param exposed the models that need an entry; the others have `false` where they have none
 * @throws ConfigurationError
 */
export function compileRules(
  rules: RulesOption,
  { models, orm }: ResourceSchema,
  exposed: readonly Pick<Resource, 'model'>[],
): CompiledRules {
  if (orm === 'zenstack') {
    throw new ConfigurationError(
      "The option 'rules' is for Prisma clients, and the schema is ZenStack's.",
      "Write the policies in ZModel (@@allow, @@deny), and leave 'rules' out.",
    );
  }
  checkObject('rules', rules, 'an object of rules by model');
  const names = Object.keys(models);
  checkAll([
    ...Object.entries(rules).map(([model, entry]) => () => {
      if (model !== '*') checkName(model, { place: 'rules', known: names, kind: 'model of the schema', all: 'The models are' });
      checkModelRules(placeOf(model), entry);
    }),
    ...exposed.map(({ model }) => () => {
      requireEntry(model, rules);
    }),
  ]);
  return frozenMap(names.map((model) => [model, compileModel(model, rules)]));
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
      else checkRule(`${place}.${action}`, rule);
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

/** What a function gives is checked when it is called. */
function checkRule(place: string, rule: unknown): void {
  if (typeof rule === 'function') return;
  readCondition(rule, (problem) => {
    throw new ConfigurationError(`${place} ${problem}`, 'Write a function of the request where the condition is not always the same.');
  });
}

/** `{ using, check }`. A `where` on a field of such a name is taken for it too, and refused: write `AND: [{ check: … }]`. */
function isUpdateRule(rule: unknown): rule is UpdateRule {
  if (!isObject(rule)) return false;
  const parts = Object.entries(rule).filter(([key]) => UPDATE_KEYS.includes(key));
  return parts.length > 0;
}

function compileModel(model: string, rules: RulesOption): Readonly<Record<RuleName, CompiledRule>> {
  const own = Object.hasOwn(rules, model);
  const place = own ? placeOf(model) : placeOf('*');
  const entry = own ? rules[model] : rules['*'];
  const of: ModelRules = typeof entry === 'object' ? entry : { '*': entry ?? false };
  const rule = (action: Exclude<Action, 'update'>): CompiledRule => ruleOf(of, action, place);
  return Object.freeze({ read: rule('read'), create: rule('create'), ...updateRules(of, place), delete: rule('delete') });
}

function ruleOf(rules: ModelRules, action: Action, place: string): CompiledRule {
  const own = rules[action] as Rule | undefined;
  if (own !== undefined) return { place: `${place}.${action}`, rule: own };
  return { place: `${place}['*']`, rule: rules['*'] ?? false };
}

function updateRules(rules: ModelRules, place: string): Pick<Record<RuleName, CompiledRule>, 'using' | 'check'> {
  const { update } = rules;
  if (!isUpdateRule(update)) {
    const rule = ruleOf(rules, 'update', place);
    return { using: rule, check: rule };
  }
  const using = { place: `${place}.update.using`, rule: update.using };
  return { using, check: update.check === undefined ? using : { place: `${place}.update.check`, rule: update.check } };
}
