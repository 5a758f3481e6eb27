import type { StoredRelation } from '../model/storage/storage.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import { withConditions } from './condition.js';
import { definite } from './definite.js';
import type { RuleSet } from './rule-set.js';
import { normalize } from './normalize.js';
import type { Where } from './rules-option.js';

/**
 * A filter of the caller's, to which rows that may not be read do not exist: `some` sees readable rows only, `none` and `every` quantify over
 * these, and a to-one relation to a row that may not be read is one to none.
 */
export function ruleWhere(rules: RuleSet, model: string, where: Where): Where {
  const { relations } = rules.model(model);
  if (!Object.keys(where).some((key) => LOGICAL.has(key) || relations.has(key))) return where;
  const plain: Record<string, unknown> = {};
  const ruled: Where[] = [];
  for (const [key, value] of Object.entries(where)) {
    const relation = relations.get(key);
    if (relation) ruled.push(...ruleRelated(rules, relation, value));
    else plain[key] = LOGICAL.has(key) ? ruleEach(rules, model, value) : value;
  }
  if (ruled.length === 0) return plain;
  const given = plain['AND'];
  return { ...plain, AND: given === undefined ? ruled : [...[given].flat(), ...ruled] };
}

const LOGICAL: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT']);

function ruleEach(rules: RuleSet, model: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one: Where) => ruleWhere(rules, model, one));
  return ruleWhere(rules, model, value as Where);
}

function ruleRelated(rules: RuleSet, relation: StoredRelation, value: unknown): readonly Where[] {
  const { name, target, many } = relation;
  if (many) {
    return Object.entries(value as Where).map(([quantifier, filter]) => ({
      [name]: quantify({ rules, target }, quantifier, filter as Where),
    }));
  }
  const filters = isPlainObject(value) && ('is' in value || 'isNot' in value) ? value : { is: value };
  const one: OneOf = { rules, relation, readable: definite(rules, target) };
  return Object.entries(filters).map(([operator, filter]) => ({ [name]: matchOne(one, operator, filter) }));
}

interface Quantified {
  readonly rules: RuleSet;
  readonly target: string;
}

function quantify({ rules, target }: Quantified, quantifier: string, filter: Where): Where {
  const readable = rules.where(target, 'read');
  const ruled = ruleWhere(rules, target, filter);
  switch (quantifier) {
    case 'some':
    case 'none':
      return { [quantifier]: withConditions(ruled, [readable]) };
    case 'every':
      // Of a filter that says nothing Prisma would leave the negation out.
      if (!readable || normalize(rules.storage, target, filter) === true) return { every: ruled };
      return { none: { AND: [readable], NOT: ruled } };
    default:
      throw new TypeError(`Nobody knows the quantifier '${quantifier}'.`);
  }
}

interface OneOf {
  readonly rules: RuleSet;
  readonly relation: StoredRelation;
  readonly readable: Where | undefined;
}

function matchOne({ rules, relation, readable }: OneOf, operator: string, filter: unknown): unknown {
  if (operator !== 'is' && operator !== 'isNot') throw new TypeError(`Nobody knows the operator '${operator}'.`);
  if (filter !== null) return { [operator]: withConditions(ruleWhere(rules, relation.target, filter as Where), [readable]) };
  // Its own foreign key is a value of the row, whatever it refers to.
  if (!readable || relation.foreignKey) return { [operator]: null };
  return { [operator === 'is' ? 'isNot' : 'is']: readable };
}
