import type { StoredModel } from '../model/storage/storage.js';
import { ALWAYS, and, type Condition, not, type OneCondition, type QuantifiedCondition, type UniqueCondition } from '../query/condition.js';
import { mapCondition } from '../query/map-condition.js';
import { match, type Table } from '../query/match.js';
import type { RuleSet } from './rule-set.js';

/**
 * A condition of the caller's, to which rows that may not be read do not exist: `some` sees readable rows only, `none` and `every` quantify over
 * these, and a to-one relation to a row that may not be read is one to none.
 */
export function ruledCondition(rules: RuleSet, condition: Condition): Condition {
  return mapCondition(condition, (node) => match(RULED, node, rules));
}

/** The readable rows of a model that meet a condition of the caller's. */
export function readableRows(rules: RuleSet, model: StoredModel, condition: Condition = ALWAYS): Condition {
  return and(ruledCondition(rules, condition), rules.of(model, 'read'));
}

/** A row that the caller names, and that has to meet more. */
export function ruledRow(rules: RuleSet, { keys, more }: UniqueCondition, ...conditions: readonly Condition[]): UniqueCondition {
  return Object.freeze({ keys, more: and(ruledCondition(rules, more), ...conditions) });
}

const same = <Kept>(node: Kept): Kept => node;

/** The conditions within a node are ruled already. */
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
  // Every row meets a condition that says nothing.
  if (readable.kind === 'always' || node.condition.kind === 'always') return node;
  return Object.freeze({ ...node, kind: 'none', condition: and(readable, not(node.condition)) });
}

function isReadable(node: OneCondition, rules: RuleSet): Condition {
  // Its own foreign key is a value of the row, whatever it refers to.
  const asksForKey = node.condition.kind === 'always' && node.relation.foreignKey !== undefined && node.relation.optional;
  if (asksForKey || rules.isOpen(node.target)) return node;
  if (rules.isForSql) return Object.freeze({ ...node, readable: rules.of(node.target, 'read') });
  return Object.freeze({ ...node, condition: and(node.condition, rules.definite(node.target)) });
}
