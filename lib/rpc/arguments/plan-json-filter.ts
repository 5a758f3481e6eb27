import { ANY_NULL } from '../../model/values/json-value.js';
import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { Attribute } from '../../model/surface/surface.js';
import { type OperandReader, type Operator, type Operators, planOperators } from './plan-operators.js';
import { MODE_OPERAND, readText, TEXT_OPERAND } from './plan-scalar-filter.js';
import { readValue } from './read-operand.js';
import type { ArgumentPath } from './argument-path.js';
import { oneOrMany } from './typed-slots.js';

/**
 * Plans a filter on a Json field. There is no short form: an object is always a filter, never a value.
 *
 * `equals: null` and `not: null` mean any null of the field itself, for a caller reads both the same; below a `path` null is the JSON value.
 */
export function planJsonFilter(attribute: Attribute, value: unknown, path: ArgumentPath): Record<string, unknown> {
  return spellOutNull(planOperators({ attribute, operators: JSON_OPERATORS }, value, path));
}

/** Replaces null by Prisma's `AnyNull`. Changes the given filter. */
export function spellOutNull(filter: Record<string, unknown>): Record<string, unknown> {
  if (Object.hasOwn(filter, 'path')) return filter;
  for (const operator of ['equals', 'not']) if (filter[operator] === null) filter[operator] = ANY_NULL;
  return filter;
}

const readJsonOperand: OperandReader = (attribute, operand, path) => (operand === null ? null : readValue(attribute, operand, path));

/** Numbers and texts have an order; Prisma's engine panics on anything else. */
const readOrdered: OperandReader = (attribute, operand, path) => {
  if (typeof operand === 'string') return readText(attribute, operand, path);
  if (!Number.isFinite(operand)) path.refuse('must be a number or a string.', 'invalid-value');
  return operand;
};

/** A JSONPath on MySQL and SQLite, elsewhere a list of keys; ZenStack has a form of its own. */
const readPath: OperandReader = (attribute, operand, path) => {
  const { provider, orm } = path.database;
  if (Array.isArray(operand)) path.spendTerms(operand.length);
  if (orm === 'prisma') requirePathForm(operand, path, provider);
  return oneOrMany(operand, path, (key, place) => readText(attribute, key, place));
};

function requirePathForm(jsonPath: unknown, path: ArgumentPath, provider: DatabaseProvider): void {
  const isJsonPath = typeof jsonPath === 'string' && jsonPath.startsWith('$');
  if (WITH_JSON_PATH.has(provider)) {
    if (!isJsonPath) path.refuse(`must be a JSONPath such as '$.a.b' on this database (${provider}).`, 'invalid-value');
  } else if (!Array.isArray(jsonPath))
    path.refuse(`must be a list of keys such as ['a', 'b'] on this database (${provider}).`, 'invalid-value');
}

const WITH_JSON_PATH: ReadonlySet<DatabaseProvider> = new Set(['mysql', 'sqlite']);

const JSON_OPERAND: Operator = { read: readJsonOperand, takes: 'json' };
const WITHOUT_JSON_LISTS: ReadonlySet<DatabaseProvider> = new Set(['sqlite']);
const WITHOUT_JSON_ORDER: ReadonlySet<DatabaseProvider> = new Set(['sqlite', 'cockroachdb']);
const ORDERED_OPERAND: Operator = { read: readOrdered, takes: 'ordered-json', lackedBy: WITHOUT_JSON_ORDER };

/** The operators of Prisma's `JsonFilter`. */
export const JSON_OPERATORS: Operators = new Map<string, Operator>([
  ['equals', JSON_OPERAND],
  ['not', JSON_OPERAND],
  ['path', { read: readPath, takes: 'path' }],
  ['mode', MODE_OPERAND],
  ['string_contains', TEXT_OPERAND],
  ['string_starts_with', TEXT_OPERAND],
  ['string_ends_with', TEXT_OPERAND],
  ['array_contains', { ...JSON_OPERAND, lackedBy: WITHOUT_JSON_LISTS }],
  ['array_starts_with', JSON_OPERAND],
  ['array_ends_with', JSON_OPERAND],
  ['lt', ORDERED_OPERAND],
  ['lte', ORDERED_OPERAND],
  ['gt', ORDERED_OPERAND],
  ['gte', ORDERED_OPERAND],
]);
