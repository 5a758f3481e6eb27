import { ApiError } from '../errors/api-error.js';
import type { StoredField } from '../model/storage/storage.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { RuleSet } from './rule-set.js';
import type { Where } from './rules-option.js';

/**
 * The condition of the rows of a model that may be read, in a form that is true or false of every row; undefined where all of them may.
 *
 * In SQL a comparison with null is neither. Where a rule is part of a filter on a to-one relation, which Prisma joins, and the filter is negated,
 * that would tell something of rows that may not be read: `NOT (null AND false)` is true, and `NOT (null AND true)` is not.
 *
 * @throws ApiError where the rule compares what may be null in a way that nothing can be added to
 */
export function definite(rules: RuleSet, model: string): Where | undefined {
  const readable = rules.where(model, 'read');
  return readable && settle({ rules, model, whenNull: false }, readable);
}

interface Settling {
  readonly rules: RuleSet;
  readonly model: string;
  /** What a comparison is to be where it has no answer: under a negation true, so that the negation is false. */
  readonly whenNull: boolean;
}

function settle(settling: Settling, where: Where): Where {
  return { AND: Object.entries(where).map(([key, value]) => settleMember(settling, key, value)) };
}

function settleMember(settling: Settling, key: string, value: unknown): Where {
  const { rules, model, whenNull } = settling;
  if (key === 'AND' || key === 'OR') return { [key]: ([value].flat() as readonly Where[]).map((one) => settle(settling, one)) };
  if (key === 'NOT') {
    const inner = { ...settling, whenNull: !whenNull };
    return { AND: ([value].flat() as readonly Where[]).map((one) => ({ NOT: settle(inner, one) })) };
  }
  const relation = rules.relation(model, key);
  if (relation) return { [key]: relation.many ? value : settleRelated({ ...settling, model: relation.target }, value) };
  const field = rules.model(model).fields.get(key);
  // The name of a key of several fields, none of which may be null.
  if (!field) return { [key]: value };
  return settleField(field, value, whenNull);
}

/** Through a to-one relation. One to several rows is looked at in a query of its own, which finds them or not. */
function settleRelated(settling: Settling, value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  if (!('is' in value) && !('isNot' in value)) return { is: settle(settling, value) };
  const negated = { ...settling, whenNull: !settling.whenNull };
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, isPlainObject(one) ? settle(key === 'isNot' ? negated : settling, one) : one]),
  );
}

function settleField({ name, optional, type, list }: StoredField, value: unknown, whenNull: boolean): Where {
  const comparison = { [name]: value };
  // A list may be null in the database, and a path may lead nowhere.
  if (list || comparesFields(value) || (type === 'Json' && isPlainObject(value) && 'path' in value)) throw undecidable();
  if (!optional || asksForNull(value)) return comparison;
  return whenNull ? { OR: [comparison, { [name]: null }] } : { AND: [comparison, { NOT: { [name]: null } }] };
}

/** Comparisons with null itself are answered for every row. */
function asksForNull(value: unknown): boolean {
  if (value === null) return true;
  if (!isPlainObject(value)) return false;
  const operands = Object.entries(value).filter(([key]) => key !== 'mode');
  return operands.length > 0 && operands.every(([key, operand]) => (key === 'equals' || key === 'not') && operand === null);
}

/** Prisma's references to fields, either of which may be null. */
function comparesFields(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isPlainObject(value) || Array.isArray(value)) return Object.values(value).some(comparesFields);
  return 'modelName' in value && 'name' in value;
}

function undecidable(): ApiError {
  return new ApiError('invalid-filter', 'This relation cannot be used to filter.');
}
