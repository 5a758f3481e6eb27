import type { DatabaseProvider } from '../model/schema/resource-schema.js';
import { ANY_NULL } from '../model/values/json-value.js';
import type { JsonOperator } from '../model/surface/prisma-operators.js';
import { ALWAYS, and, type Condition, type JsonComparison } from '../query/condition.js';
import { isLiteralJson } from './like-patterns.js';
import type { Place } from './place.js';
import { type Operator, type OperatorReader, type Operators, readOperators } from './read-operators.js';
import { readOperand } from './read-operand.js';
import { MODE_OPERAND } from './read-scalar-filter.js';
import { readPart } from './read-text.js';
import { oneOrMany, readObject, readText } from './typed-slots.js';
import type { AttributeWord } from './vocabulary.js';

/**
 * Reads a filter on a Json field. There is no short form: an object is always a filter, never a value.
 *
 * `equals: null` and `not: null` match both nulls of the field, because a caller reads both as null. Below a `path`, null is the JSON value.
 */
export function readJsonFilter(word: AttributeWord, value: unknown, place: Place, operators = JSON_OPERATORS): Condition {
  const filter = readObject(value, place);
  const condition = readOperators(word, operators, { value, place });
  const modifiers = {
    ...(filter['path'] !== undefined && { path: filter['path'] }),
    isInsensitive: filter['mode'] === 'insensitive',
  };
  requireEquality(filter, place);
  const conditions = condition.kind === 'and' ? condition.conditions : [condition];
  return and(...conditions.map((one) => (one.kind === 'json' ? Object.freeze(spellOutNull({ ...one, ...modifiers })) : one)));
}

/** Rejects wildcards in a case-insensitive equality. Prisma compares the JSON text by `ILIKE`, and JSON cannot escape wildcards there. */
function requireEquality(filter: Readonly<Record<string, unknown>>, place: Place): void {
  const { provider, orm } = place.database;
  if (filter['mode'] !== 'insensitive' || orm !== 'prisma') return;
  const strange = ['equals', 'not'].find((operator) => filter[operator] !== undefined && !isLiteralJson(filter[operator], provider));
  if (strange !== undefined)
    place
      .member(strange)
      .refuse("must hold no '%', '_' or backslash where mode is 'insensitive': they would match anything.", 'invalid-value');
}

/** Replaces a null operand by `AnyNull`, if it is compared with the field itself. */
function spellOutNull(comparison: JsonComparison): JsonComparison {
  const { path, operator, operand } = comparison;
  return path === undefined && operand === null && (operator === 'equals' || operator === 'not')
    ? { ...comparison, operand: ANY_NULL }
    : comparison;
}

type OperandReader = (word: AttributeWord, operand: unknown, place: Place) => unknown;

/**
 * Returns the reader of an operator.
 *
 * @param type the type of a field that may be referenced instead of a value
 */
function comparing(operator: JsonOperator, read: OperandReader, type: 'Json' | 'String' = 'Json'): OperatorReader {
  return (word, operand, place) => {
    const compared = readOperand(word.ofType(type), { value: operand, place }, () => read(word, operand, place));
    return { kind: 'json', field: word.field, operator, operand: compared, isInsensitive: false };
  };
}

const readJson: OperandReader = (word, operand, place) => (operand === null ? null : word.read(operand, place));

/** Reads a number or a text. Prisma's engine panics on any other operand of an order operator. */
const readOrdered: OperandReader = (_, operand, place) => {
  if (typeof operand === 'string') return readText(operand, place);
  if (!Number.isFinite(operand)) place.refuse('must be a number or a string.', 'invalid-value');
  return operand;
};

/** Reads a path: a JSONPath on MySQL and SQLite, and a list of keys on other databases. ZenStack has another syntax, which is not checked here. */
const readPath: OperatorReader = (_, operand, place) => {
  const { provider, orm } = place.database;
  if (Array.isArray(operand)) place.spendTerms(operand.length);
  if (orm === 'prisma') requirePathForm(operand, place, provider);
  oneOrMany(operand, place, readText);
  return ALWAYS;
};

function requirePathForm(jsonPath: unknown, place: Place, provider: DatabaseProvider): void {
  if (WITH_JSON_PATH.has(provider)) {
    if (typeof jsonPath !== 'string' || !isJsonPath(jsonPath, provider))
      place.refuse(`must be a JSONPath such as '$.a.b' on this database (${provider}).`, 'invalid-value');
  } else if (!Array.isArray(jsonPath))
    place.refuse(`must be a list of keys such as ['a', 'b'] on this database (${provider}).`, 'invalid-value');
}

const WITH_JSON_PATH: ReadonlySet<DatabaseProvider> = new Set(['mysql', 'sqlite']);
const WITHOUT_JSON_LISTS: ReadonlySet<DatabaseProvider> = new Set(['sqlite']);
const WITHOUT_JSON_ORDER: ReadonlySet<DatabaseProvider> = new Set(['sqlite', 'cockroachdb']);

type OperatorRow = readonly [name: JsonOperator, operator: Operator];

function json(operator: JsonOperator): OperatorRow {
  return [operator, { read: comparing(operator, readJson), takes: 'json' }];
}

function text(operator: JsonOperator): OperatorRow {
  return [operator, { read: comparing(operator, (_, operand, place) => readPart(operand, place), 'String'), takes: 'text' }];
}

function ordered(operator: JsonOperator): OperatorRow {
  return [operator, { read: comparing(operator, readOrdered), takes: 'ordered-json', lackedBy: WITHOUT_JSON_ORDER }];
}

/** The operators of Prisma's `JsonFilter`. */
export const JSON_OPERATORS: Operators = new Map<string, Operator>([
  json('equals'),
  json('not'),
  ['path', { read: readPath, takes: 'path' }],
  ['mode', MODE_OPERAND],
  text('string_contains'),
  text('string_starts_with'),
  text('string_ends_with'),
  ['array_contains', { read: comparing('array_contains', readJson), takes: 'json', lackedBy: WITHOUT_JSON_LISTS }],
  json('array_starts_with'),
  json('array_ends_with'),
  ordered('lt'),
  ordered('lte'),
  ordered('gt'),
  ordered('gte'),
]);

/**
 * Whether a text is a valid JSONPath of a database. SQLite and MySQL reject an invalid one only if the statement reads a row, so that the error would
 * reveal rows that the caller may not read.
 */
export function isJsonPath(text: string, provider: DatabaseProvider): boolean {
  return (provider === 'sqlite' ? SQLITE : MYSQL).test(text);
}

const SQLITE = /^\$(?:\.(?:"[^"\0]*"|[^."[\0][^.[\0]*)|\[(?:\d{1,9}|#(?:-\d{1,9})?)\])*$/;
const INDEX = String.raw`(?:\d{1,9}|last(?:\s*-\s*\d{1,9})?)`;
const MYSQL = new RegExp(
  String.raw`^\$(?:(?:\*\*)?(?:\.(?:\*|"(?:[^"\\\p{Cc}]|\\["\\/bfnrt])*"|[\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(?:\*|${INDEX}(?:\s+to\s+${INDEX})?)\s*\]))*$`,
  'u',
);
