import type { StoredModel } from '../model/storage/storage.js';
import { ALWAYS, and, type Condition, not, type OneCondition, type QuantifiedCondition, type UniqueCondition } from '../query/condition.js';
import { mapCondition } from '../query/map-condition.js';
import { match, type Table } from '../query/match.js';
import type { RuleSet } from './rule-set.js';

/**
 * Rewrites a condition of the caller as if rows that may not be read did not exist. `some` matches readable rows only, and `none` and `every`
 * quantify over these. A to-one relation to an unreadable row counts as null.
 */
export function ruledCondition(rules: RuleSet, condition: Condition): Condition {
  return mapCondition(condition, (node) => match(RULED, node, rules));
}

/** Compiles the condition of the readable rows of a model that meet a condition of the caller. */
export function readableRows(rules: RuleSet, model: StoredModel, condition: Condition = ALWAYS): Condition {
  return and(ruledCondition(rules, condition), rules.of(model, 'read'));
}

/** Compiles the unique condition of a row that the caller names, with additional conditions. */
export function ruledRow(rules: RuleSet, { keys, more }: UniqueCondition, ...conditions: readonly Condition[]): UniqueCondition {
  return Object.freeze({ keys, more: and(ruledCondition(rules, more), ...conditions) });
}

const same = <Kept>(node: Kept): Kept => node;

/** The nested conditions of a node already include the rules. */
const RULED: Table<Condition, [RuleSet], Condition> = {
  always: same,
  never: same,
  and: same,
  or: same,
  not: same,
  compare: same,
  list: same,
  json: same,
  key: same,
  some: amongReadable,
  none: amongReadable,
  every: everyReadable,
  is: isReadable,
  isNot: isReadable,
};

function amongReadable(node: QuantifiedCondition, rules: RuleSet): Condition {
  const readable = rules.of(node.target, 'read');
  return readable.kind === 'always' ? node : Object.freeze({ ...node, condition: and(node.condition, readable) });
}

function everyReadable(node: QuantifiedCondition, rules: RuleSet): Condition {
  const readable = rules.of(node.target, 'read');
  // Every row meets an empty condition.
  if (readable.kind === 'always' || node.condition.kind === 'always') return node;
  return Object.freeze({ ...node, kind: 'none', condition: and(readable, not(node.condition)) });
}

function isReadable(node: OneCondition, rules: RuleSet): Condition {
  // Whether the relation is null depends only on the foreign key of the row, whichever row it references.
  const asksForKey = node.condition.kind === 'always' && node.relation.foreignKey !== undefined && node.relation.optional;
  if (asksForKey || rules.isOpen(node.target)) return node;
  if (rules.isForSql) return Object.freeze({ ...node, readable: rules.of(node.target, 'read') });
  return Object.freeze({ ...node, condition: and(node.condition, rules.nullSafeRead(node.target)) });
}
