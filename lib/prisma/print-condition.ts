import type {
  Comparison,
  Condition,
  JsonComparison,
  KeyCondition,
  ListComparison,
  OneCondition,
  QuantifiedCondition,
  UniqueCondition,
} from '../query/condition.js';
import { match, type Table } from '../query/match.js';
import { printAnd, printNot, printOr } from './connectives.js';
import { isFieldReference } from './is-field-reference.js';
import { printExact, printJsonOperand } from './print-exact.js';
import { ONE_OPERATORS, type Where } from './words.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import type { StoredField, StoredModel, StoredRelation } from '../model/storage/storage.js';
import { isConnectiveName } from '../model/surface/prisma-operators.js';

/**
 * Prints a condition as Prisma's `where`.
 *
 * @param model the model of the rows
 */
export function printCondition(condition: Condition, model: StoredModel): Where {
  return match(CONDITIONS, condition, model);
}

const printQuantified = ({ kind, relation, target, condition }: QuantifiedCondition, model: StoredModel): Where => ({
  [sayable(relation.name, model)]: { [kind]: printCondition(condition, target) },
});

const printOne = ({ kind, relation, target, condition, readable }: OneCondition, model: StoredModel): Where => {
  requireNoRule(readable);
  return {
    [sayable(relation.name, model)]: condition.kind === 'always' ? printPresence(kind, relation) : printOneFilter(kind, condition, target),
  };
};

/** Rejects a rule that only SQL can compile: without it, the query would find rows that the caller may not read. */
export function requireNoRule(rule: Condition | undefined): void {
  if (rule) throw new TypeError('This query is for SQL: Prisma has no condition where it has a rule.');
}

const CONDITIONS: Table<Condition, [StoredModel], Where> = {
  always: () => ({}),
  never: (_, model) => noRow(model),
  and: ({ conditions }, model) => printAll(conditions, model),
  or: ({ conditions }, model) =>
    printOr(
      conditions.map((one) => printCondition(one, model)),
      model,
    ),
  not: ({ condition }, model) => printNot(printCondition(condition, model), model),
  compare: (condition, model) => ({ [sayable(condition.field.name, model)]: printComparison(condition) }),
  list: printList,
  json: (condition, model) => ({ [sayable(condition.field.name, model)]: printJsonFilter(condition) }),
  key: (condition, model) => {
    for (const name of condition.key.fields) sayable(name, model);
    return printFields(condition);
  },
  some: printQuantified,
  every: printQuantified,
  none: printQuantified,
  is: printOne,
  isNot: printOne,
};

/**
 * Returns the name of a member that Prisma can filter by. Prisma misreads a member with the name of a connective. Because clients have no right to
 * filter by such members, the condition is one of the package, for example on a key.
 *
 * @throws ConfigurationError for such a member
 */
function sayable(name: string, { model }: StoredModel): string {
  if (!isConnectiveName(name)) return name;
  throw new ConfigurationError(
    `Prisma takes '${model}.${name}' for a connective, so that no row can be looked up by it.`,
    'Rename it in the Prisma schema, with @map for its column.',
  );
}

/** Prints a condition as the argument `where`. The argument is absent if every row meets the condition. */
export function printWhere(condition: Condition, model: StoredModel): { readonly where?: Where } {
  return condition.kind === 'always' ? {} : { where: printCondition(condition, model) };
}

/** Prints the `where` of one row. Prisma accepts keys only as members of the object itself. */
export function printUnique({ keys, more }: UniqueCondition, model: StoredModel): Where {
  const named = printKeys(keys);
  if (more.kind === 'always') return named;
  const others = printCondition(more, model);
  // Beside a key, Prisma accepts values of other keys, but no filters on them.
  const isApart = Object.keys(others).some((name) => Object.hasOwn(named, name) || isKey(model, name));
  return isApart ? { ...named, ...printAnd([others], model) } : { ...named, ...others };
}

function isKey({ primaryKey, uniqueKeys }: StoredModel, field: string): boolean {
  return [primaryKey, ...uniqueKeys].some((key) => key?.fields.length === 1 && key.fields[0] === field);
}

/** Prints keys as `cursor` and the `where` of one row take them: `{ id: 1 }`, `{ a_b: { a: 1, b: 2 } }`. */
export function printKeys(keys: readonly KeyCondition[]): Where {
  return Object.fromEntries(keys.map(printKey));
}

function printKey(condition: KeyCondition): readonly [name: string, value: unknown] {
  const { key, values } = condition;
  return [key.name, key.fields.length === 1 && key.fields[0] === key.name ? values[0] : printFields(condition)];
}

function printFields({ key, values }: KeyCondition): Where {
  return Object.fromEntries(key.fields.map((name, index) => [name, values[index]]));
}

/** Prints a `where` that finds no row in any position. Because Prisma reads `OR: []` within `AND` as true, it compares a field instead. */
function noRow({ primaryKey, uniqueKeys, fields }: StoredModel): Where {
  const names = [...((primaryKey ?? uniqueKeys[0])?.fields ?? []), ...fields.keys()];
  const name = names.find((one) => !isConnectiveName(one) && isComparable(fields.get(one))) ?? '';
  return { [name]: fields.get(name)?.type === 'Boolean' ? { equals: true, not: true } : { in: [] } };
}

/** Whether Prisma offers the operator `in` for a field. */
function isComparable(field: StoredField | undefined): boolean {
  return field !== undefined && !field.ignored && !field.list && field.type !== 'Json';
}

/** Prints conditions as members of one object. Those whose members collide become elements of an `AND`. */
function printAll(conditions: readonly Condition[], model: StoredModel): Where {
  const members: Record<string, unknown> = {};
  const others: Where[] = [];
  for (const where of printEach(conditions, model)) {
    if (Object.keys(where).some((key) => Object.hasOwn(members, key))) others.push(where);
    else Object.assign(members, where);
  }
  return others.length === 0 ? members : printAnd([members, ...others], model);
}

/** Prints each condition. Comparisons of one field are merged into one filter where their operators differ. */
function printEach(conditions: readonly Condition[], model: StoredModel): readonly Where[] {
  const wheres: Where[] = [];
  const filters = new Map<StoredField, Filter>();
  for (const condition of conditions) {
    const isPlain = condition.kind === 'compare' && condition.aggregate === undefined;
    const filter = isPlain ? filters.get(condition.field) : undefined;
    if (isPlain && filter && areMergeable(filter.operators, printOperators(condition))) {
      filter.operators = { ...filter.operators, ...printOperators(condition) };
      wheres[filter.index] = { [condition.field.name]: filter.operators };
      continue;
    }
    if (isPlain && !filter) filters.set(condition.field, { index: wheres.length, operators: printOperators(condition) });
    wheres.push(printCondition(condition, model));
  }
  return wheres;
}

/** The filter of a field, and its index among the conditions. */
interface Filter {
  readonly index: number;
  operators: Where;
}

/** Whether two filters can be merged into one with the operators of both. Because `mode` applies to all operators, it must be equal. */
function areMergeable({ mode, ...one }: Where, { mode: otherMode, ...other }: Where): boolean {
  return mode === otherMode && Object.keys(one).every((operator) => !Object.hasOwn(other, operator));
}

function printComparison(comparison: Comparison): unknown {
  const { field, aggregate, operator, operand, isInsensitive, isNegated } = comparison;
  if (aggregate !== undefined) return { [aggregate]: printOperators(comparison) };
  const isShort = operator === 'equals' && !isInsensitive && !isNegated && isPlainValue(operand);
  return isShort ? printExact(operand, field) : printOperators(comparison);
}

/** Whether Prisma accepts a value as a short form of `equals`. */
function isPlainValue(operand: unknown): boolean {
  return typeof operand !== 'object' || operand === null || operand instanceof Date;
}

function printOperators({ field, operator, operand, isInsensitive, isNegated }: Comparison): Where {
  const printed = printExact(operand, field);
  const filter: Where = { [operator]: printed };
  // Prisma accepts a value as a short form of `equals`, but not a field reference.
  const isShort = operator === 'equals' && !isFieldReference(operand);
  const compared = isNegated ? { not: isShort ? printed : filter } : filter;
  return isInsensitive ? { ...compared, mode: 'insensitive' } : compared;
}

/**
 * Prints a condition on a list. For `Bytes[]`, `hasSome` and `hasEvery` become several `has`, because Prisma sends the elements of their operands as
 * base64, which equals no element.
 */
function printList({ field, operator, operand }: ListComparison, model: StoredModel): Where {
  const name = sayable(field.name, model);
  const isQuantified = operator === 'hasSome' || operator === 'hasEvery';
  if (field.type !== 'Bytes' || !isQuantified || !Array.isArray(operand) || operand.length === 0)
    return { [name]: { [operator]: printExact(operand, field) } };
  const each = operand.map((value: unknown): Where => ({ [name]: { has: value } }));
  return operator === 'hasSome' ? printOr(each, model) : printAnd(each, model);
}

function printJsonFilter({ field, path, operator, operand, isInsensitive }: JsonComparison): Where {
  return {
    ...(path !== undefined && { path: Array.isArray(path) ? [...(path as readonly unknown[])] : path }),
    [operator]: printJsonOperand(operator, operand, field),
    ...(isInsensitive && { mode: 'insensitive' }),
  };
}

/**
 * Prints the condition that a relation has a related row, or none. Prisma accepts no null for a required relation.
 *
 * If the related row has the foreign key, Prisma prints null as `NOT IN` in updates and deletes. A row whose referenced fields are null never meets
 * that.
 */
function printPresence(kind: 'is' | 'isNot', { optional, foreignKey }: StoredRelation): unknown {
  if (!optional || foreignKey === undefined) return { [kind]: {} };
  return kind === 'is' ? { isNot: null } : null;
}

/** Prints a condition on the related row. It is a short form of `is`, unless its members have the names of operators. */
function printOneFilter(kind: 'is' | 'isNot', condition: Condition, target: StoredModel): unknown {
  const where = printCondition(condition, target);
  const isShort = kind === 'is' && !ONE_OPERATORS.some((operator) => Object.hasOwn(where, operator));
  return isShort ? where : { [kind]: where };
}
