import type { JsonComparison } from '../query/condition.js';
import { decline } from './declined.js';
import { encodeJson, encodePath, encodeText, jsonNullOf } from './parameter.js';
import type { Scope } from './scope.js';
import { call, type Expression, joined, type Operation, type Slot } from './tree.js';

/** A condition on a Json field, with its scope. */
interface JsonPlace {
  readonly scope: Scope;
  readonly condition: JsonComparison;
  /** Whether the condition is inside an odd number of negations. Prisma's filters then match values of another type, which the negation excludes. */
  readonly isNegated: boolean;
}

/** Compiles the condition on a Json value, or on the part of it that a path selects. */
export function jsonCondition(place: JsonPlace): Expression {
  const { operator, operand, isInsensitive } = place.condition;
  if (isInsensitive) return decline('a Json filter without regard to case');
  if (operand === null || operand === undefined) return decline('a Json value of a form of its own');
  const order = ORDERS.get(operator);
  if (order) return typed(place, call(order, jsonOf(place), jsonOperand(place)), typeOf(operand));
  const pattern = PATTERNS.get(operator);
  if (pattern) return typed(place, call('like', jsonTextAt(place), call(pattern, slotOf(place, encodeText))), 'string');
  if (operator === 'equals' || operator === 'not') return compared(place, operator === 'equals');
  return typed(place, ofArray(place), 'array');
}

function ofArray(place: JsonPlace): Expression {
  const json = jsonOf(place);
  const { operator } = place.condition;
  if (operator === 'array_contains') return call('contains', json, jsonOperand(place));
  return call('=', call(operator === 'array_starts_with' ? 'json-first' : 'json-last', json), jsonOperand(place));
}

const ORDERS: ReadonlyMap<string, Operation> = new Map([
  ['lt', '<'],
  ['lte', '<='],
  ['gt', '>'],
  ['gte', '>='],
]);

const PATTERNS: ReadonlyMap<string, Operation> = new Map([
  ['string_contains', 'contains-pattern'],
  ['string_starts_with', 'startsWith-pattern'],
  ['string_ends_with', 'endsWith-pattern'],
]);

function columnOf({ scope, condition }: JsonPlace): Expression {
  return scope.column(condition.field.name);
}

function jsonPathSlot({ scope, condition }: JsonPlace): Slot | undefined {
  return condition.path === undefined ? undefined : scope.statement.slot(condition, encodePath, { type: 'texts' });
}

function jsonOf(place: JsonPlace): Expression {
  const path = jsonPathSlot(place);
  return path ? call('json-at', columnOf(place), path) : columnOf(place);
}

function jsonTextAt(place: JsonPlace): Expression {
  const path = jsonPathSlot(place);
  return path ? call('json-text-at', columnOf(place), path) : call('json-text', columnOf(place));
}

function slotOf({ scope, condition }: JsonPlace, encode: (value: unknown) => string, type?: 'json'): Slot {
  return scope.statement.slot(condition, encode, { at: condition.path === undefined ? 0 : 1, type });
}

/** Returns the slot of an operand as Json. A plain null is declined, because its meaning differs between Prisma's operators. */
function jsonOperand(place: JsonPlace): Slot {
  if (jsonNullOf(place.condition.operand) !== undefined) return decline('a Json value of a form of its own');
  return slotOf(place, encodeJson, 'json');
}

function typed(place: JsonPlace, condition: Expression, type: 'string' | 'number' | 'array'): Expression {
  const json = jsonOf(place);
  return place.isNegated
    ? joined('or', [condition, call('not', call(`json-is-${type}`, json))])
    : joined('and', [condition, call(`json-is-${type}`, json)]);
}

function compared(place: JsonPlace, isEqual: boolean): Expression {
  const json = jsonOf(place);
  const isNull = call(isEqual ? 'is-null' : 'is-not-null', json);
  const isJsonNull = call('json-is-null', json);
  const hasNull = isEqual ? isJsonNull : call('not', isJsonNull);
  switch (jsonNullOf(place.condition.operand)) {
    case 'DbNull':
      return isNull;
    case 'JsonNull':
      return hasNull;
    case 'AnyNull':
      return joined(isEqual ? 'or' : 'and', [hasNull, isNull]);
    case undefined:
      return call(isEqual ? '=' : '<>', call('json', json), jsonOperand(place));
  }
}

function typeOf(value: unknown): 'number' | 'string' {
  if (typeof value === 'number') return 'number';
  return typeof value === 'string' ? 'string' : decline('an order of Json values');
}
