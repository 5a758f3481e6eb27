import type { ComparisonOperator } from '../model/surface/prisma-operators.js';
import type {
  Comparison,
  Condition,
  Group,
  KeyCondition,
  ListComparison,
  OneCondition,
  QuantifiedCondition,
  UniqueCondition,
} from '../query/condition.js';
import { match, type Table as Cases } from '../query/match.js';
import type { StoredField, StoredRelation } from '../model/storage/storage.js';
import { type Connective, isSayable } from '../prisma/connectives.js';
import { decline } from './declined.js';
import { jsonCondition } from './json-condition.js';
import { type Encode, encodeText, listEncoder, requireSupportedType, scalarEncoder } from './parameter.js';
import { fromMany, pairsOf, type Scope, slotTypeOf } from './scope.js';
import { call, type Exists, type Expression, FALSE, joined, type Operation, type Slot, TRUE } from './tree.js';

/** The position of a condition. */
export interface ConditionScope {
  readonly scope: Scope;
  /** Whether the position is inside an odd number of negations. Prisma's filters of Json values depend on it. */
  readonly isNegated: boolean;
}

/** Compiles a condition. A comparison with null is unknown in SQL exactly if it is unknown in Prisma's SQL. */
export function where(scope: Scope, condition: Condition): Expression {
  return conditionAt({ scope, isNegated: false }, condition);
}

/** Compiles the conditions of one row, or of a cursor. */
export function compileUnique(scope: Scope, { keys, more }: UniqueCondition): readonly Expression[] {
  return [...keys, more].map((condition) => where(scope, condition));
}

function conditionAt(place: ConditionScope, condition: Condition): Expression {
  return match(CONDITIONS, condition, place);
}

const quantified = (condition: QuantifiedCondition, place: ConditionScope): Expression => toMany(place, condition);

const CONDITIONS: Cases<Condition, [ConditionScope], Expression> = {
  always: () => TRUE,
  never: () => FALSE,
  and: connected,
  or: connected,
  not: ({ condition }, { scope, isNegated }) => {
    requireSayable('NOT', scope);
    return call('not', conditionAt({ scope, isNegated: !isNegated }, condition));
  },
  compare: (condition, { scope }) => comparison(scope, condition),
  list: (condition, { scope }) => listComparison(scope, condition),
  json: (condition, { scope, isNegated }) => jsonCondition({ scope, condition, isNegated }),
  key: (condition, { scope }) => keyCondition(scope, condition),
  some: quantified,
  every: quantified,
  none: quantified,
  is: (condition, place) => is(place, condition),
  isNot: (condition, place) => isNot(place, condition),
};

function connected({ kind, conditions }: Group, place: ConditionScope): Expression {
  requireSayable(kind === 'and' ? 'AND' : 'OR', place.scope);
  return joined(
    kind,
    conditions.map((one) => conditionAt(place, one)),
  );
}

function requireSayable(connective: Connective, { model }: Scope): void {
  if (!isSayable(connective, model)) decline('a model whose members are called as connectives are');
}

function keyCondition(scope: Scope, condition: KeyCondition): Expression {
  const { key } = condition;
  return joined(
    'and',
    key.fields.map((name, at) => {
      const field = scope.field(name);
      return call('=', scope.column(name), scope.statement.slot(condition, scalarEncoder(field), { at, type: slotTypeOf(field) }));
    }),
  );
}

function comparison(scope: Scope, condition: Comparison): Expression {
  if (condition.aggregate !== undefined) return decline('a condition of a group');
  return COMPARISON_COMPILERS[condition.operator](scope, condition);
}

type Compare = (scope: Scope, condition: Comparison) => Expression;

const orderedBy =
  (sign: Operation, opposite: Operation): Compare =>
  (scope, condition) =>
    ordered(scope, condition, condition.isNegated ? opposite : sign);
const likeBy =
  (pattern: Operation): Compare =>
  (scope, condition) =>
    like(scope, condition, pattern);

const COMPARISON_COMPILERS: Readonly<Record<ComparisonOperator, Compare>> = {
  equals: (scope, condition) => equals(scope, condition),
  in: (scope, condition) => among(scope, condition, !condition.isNegated),
  notIn: (scope, condition) => among(scope, condition, condition.isNegated),
  lt: orderedBy('<', '>='),
  lte: orderedBy('<=', '>'),
  gt: orderedBy('>', '<='),
  gte: orderedBy('>=', '<'),
  contains: likeBy('contains-pattern'),
  startsWith: likeBy('startsWith-pattern'),
  endsWith: likeBy('endsWith-pattern'),
  search: (scope, condition) => search(scope, condition),
};

function signed(condition: Expression, isNegated: boolean): Expression {
  return isNegated ? call('not', condition) : condition;
}

/** Returns the slot of the value that a field is compared with. */
function operandOf({ statement }: Scope, condition: Comparison): Slot {
  const { field } = condition;
  return statement.slot(condition, scalarEncoder(field), { type: slotTypeOf(field) });
}

function equals(scope: Scope, condition: Comparison): Expression {
  const { field, operand, isNegated, isInsensitive } = condition;
  const column = scope.column(field.name);
  if (operand === null) return call(isNegated ? 'is-not-null' : 'is-null', column);
  if (!isInsensitive) return call(isNegated ? '<>' : '=', column, operandOf(scope, condition));
  requireText(field);
  return signed(call('ilike', column, operandOf(scope, condition)), isNegated);
}

function ordered(scope: Scope, condition: Comparison, sign: Operation): Expression {
  const column = scope.column(condition.field.name);
  if (condition.operand === null) return decline(`a value of ${condition.field.name}`);
  const right = operandOf(scope, condition);
  return condition.isInsensitive ? call(sign, call('lower', column), call('lower', right)) : call(sign, column, right);
}

function among(scope: Scope, condition: Comparison, isIn: boolean): Expression {
  const { field, operand, isInsensitive } = condition;
  if (!Array.isArray(operand)) return decline('a list of a form of its own');
  if (operand.length === 0) return isIn ? FALSE : TRUE;
  const type = isInsensitive ? 'texts' : slotTypeOf(field, true);
  const values = scope.statement.slot(condition, listEncoder(field), { type });
  return signed(call(isInsensitive ? 'in-insensitive' : 'in', scope.column(field.name), values), !isIn);
}

function like(scope: Scope, condition: Comparison, pattern: Operation): Expression {
  const { isNegated, isInsensitive, field, operand } = condition;
  requireText(field);
  if (operand === null) return decline('a filter of texts whose operand is not a text');
  const value = scope.statement.slot(condition, encodeText);
  return signed(call(isInsensitive ? 'ilike' : 'like', scope.column(field.name), call(pattern, value)), isNegated);
}

function search(scope: Scope, condition: Comparison): Expression {
  const { statement } = scope;
  requireText(condition.field);
  if (condition.operand === null) return decline('a filter of texts whose operand is not a text');
  statement.searchOnce();
  const found = call('search', scope.column(condition.field.name), statement.slot(condition, encodeText));
  return signed(found, condition.isNegated);
}

/** Requires a text field. Prisma has no such operator for other types, nor for UUIDs. */
function requireText({ name, type, nativeType }: StoredField): void {
  if (type !== 'String' || nativeType?.[0] === 'Uuid') decline(`a comparison of ${name} as text`);
}

/** Compiles a condition on a scalar list. */
function listComparison(scope: Scope, condition: ListComparison): Expression {
  const { field, operator, operand } = condition;
  requireSupportedType(field);
  const column = scope.column(field.name);
  if (operator === 'isEmpty') return signed(call('is-empty', column), operand !== true);
  if (operand === null && operator === 'equals') return call('is-null', column);
  if (!isComparable(condition)) return decline(`${operator} of a list of ${field.type}`);
  const encodeList = listEncoder(field, true);
  const encode: Encode = operator === 'has' ? (value) => encodeList([value]) : encodeList;
  const values = scope.statement.slot(condition, encode, { type: slotTypeOf(field, true) });
  return call(LIST_OPERATIONS[operator], column, values);
}

const LIST_OPERATIONS = { equals: '=', has: 'contains', hasEvery: 'contains', hasSome: 'overlaps' } as const;

/** Whether a list can be compared. Prisma sends lists of other types in formats that depend on the driver. */
function isComparable({ field: { type }, operator }: ListComparison): boolean {
  return type !== 'Json' && (type !== 'Enum' || operator === 'equals');
}

/** Joins the row of a to-one relation, once. A row that the caller may not read is joined as null. */
export function joinOne(
  scope: Scope,
  { relation, target: model, readable }: Pick<OneCondition, 'relation' | 'target' | 'readable'>,
): Scope {
  if (!readable) return scope.toOne(relation);
  const known = scope.joined(relation, readable);
  if (known) return known.target;
  const target = scope.inner(model);
  return scope.joinReadable(relation, readable, { target, conditions: [where(target, readable)] });
}

function relationOf(scope: Scope, { relation }: { readonly relation: StoredRelation }): StoredRelation {
  return relation.ignored ? decline(`${scope.model.model} has no relation ${relation.name}`) : relation;
}

function is(place: ConditionScope, node: OneCondition): Expression {
  const { scope, isNegated } = place;
  const relation = relationOf(scope, node);
  if (node.condition.kind === 'always') return call('not', isNull(place, node));
  if (scope.isWritten) return related(place, node);
  const target = joinOne(scope, { ...node, relation });
  return joined('and', [conditionAt({ scope: target, isNegated }, node.condition), call('is-not-null', target.presence)]);
}

function isNot(place: ConditionScope, node: OneCondition): Expression {
  const { scope, isNegated } = place;
  const relation = relationOf(scope, node);
  if (node.condition.kind === 'always') return isNull(place, node);
  if (scope.isWritten) return call('not', related(place, node));
  const target = joinOne(scope, { ...node, relation });
  const condition = conditionAt({ scope: target, isNegated: !isNegated }, node.condition);
  return joined('or', [call('not', condition), call('is-null', target.presence)]);
}

/**
 * Compiles the condition that a relation has no related row. It compares the foreign key of the row itself, if the key is optional. Otherwise it
 * joins the related row, which policies may hide even if the relation is required.
 */
function isNull(place: ConditionScope, node: OneCondition): Expression {
  const { relation, readable } = node;
  const { scope } = place;
  if (readable || !relation.foreignKey || !relation.optional)
    return scope.isWritten ? call('not', related(place, node)) : call('is-null', joinOne(scope, node).presence);
  const [name, ...others] = relation.foreignKey.fields;
  if (name === undefined || others.length > 0) return decline('null for a key of several fields');
  return call('is-null', scope.column(name));
}

/**
 * Compiles an `EXISTS` for a related row that meets a condition. For rows that are written, Prisma does the same, and its subquery treats nulls
 * differently from its joins.
 */
function related({ scope, isNegated }: ConditionScope, { relation, target: model, condition, readable }: OneCondition): Exists {
  if (readable) return decline('a relation of rows that are written, to rows that may not all be read');
  const target = scope.inner(model);
  const met = conditionAt({ scope: target, isNegated }, condition);
  const pairs = pairsOf(relation, target, scope).map(({ own, owner }) => call('=', own, owner));
  return { kind: 'exists', select: { from: target.table, joins: target.joins, where: met === TRUE ? pairs : [...pairs, met], order: [] } };
}

function toMany(
  { scope, isNegated }: ConditionScope,
  { kind, relation: given, target: model, condition }: QuantifiedCondition,
): Expression {
  const relation = relationOf(scope, { relation: given });
  const target = scope.inner(model);
  const { from, joins, pairs } = fromMany(relation, target, scope);
  const met = conditionAt({ scope: target, isNegated }, condition);
  const conditions = [
    ...pairs.map(({ own, owner }) => call('=', own, owner)),
    ...(kind === 'every' ? [call('not', met)] : met === TRUE ? [] : [met]),
  ];
  const exists: Expression = { kind: 'exists', select: { from, joins: [...joins, ...target.joins], where: conditions, order: [] } };
  return kind === 'some' ? exists : call('not', exists);
}
