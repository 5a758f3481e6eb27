import { type Access, accessesOf } from '../query/accesses.js';
import type { Query } from '../query/query.js';
import type { RuleName } from './compile-rules.js';
import { ruleKey } from './rule-set.js';

/** One rule of one model. */
export interface NeededRule {
  readonly model: string;
  readonly name: RuleName;
}

/** The rules that queries may come to: of every model that they name, in conditions, orders, selections and records at any depth. */
export function neededRules(queries: readonly Query[]): readonly NeededRule[] {
  const needs = queries.flatMap(accessesOf).flatMap(({ model, action }) => RULES[action].map((name) => ({ model, name })));
  return [...new Map(needs.map((one) => [ruleKey(one.model, one.name), one])).values()];
}

/** Whatever is written is looked at, too. */
const RULES: Readonly<Record<Access['action'], readonly RuleName[]>> = {
  read: ['read'],
  create: ['read', 'create'],
  update: ['read', 'using', 'check'],
  delete: ['read', 'delete'],
};
