import { ALWAYS, and, type Condition, NEVER, not, or } from '../query/condition.js';
import { isPlainObject } from '../wire/is-plain-object.js';
import type { Place } from './place.js';
import { readJsonFilter } from './read-json-filter.js';
import { readListFilter } from './read-list-filter.js';
import { readScalarFilter } from './read-scalar-filter.js';
import { readList, readObject } from './typed-slots.js';
import type { AttributeWord, FieldWord, RelationWord, Vocabulary } from './vocabulary.js';
import { CONNECTIVES, ONE_OPERATORS, QUANTIFIERS } from './words.js';

/** Reads the condition on one field of a model. */
type FieldReader = (word: FieldWord, value: unknown, place: Place) => Condition;

/**
 * Reads a Prisma `where`. Every field must exist and be filterable, on each related model by the vocabulary of that model.
 *
 * Rejects `undefined` in any position, because a missing condition would widen the filter (security case 14).
 */
export function readWhere(vocabulary: Vocabulary, value: unknown, place: Place): Condition {
  vocabulary.requireReadable(place);
  return readConditions(vocabulary, { value, place });
}

/** Reads the `where` of a nested `updateMany` or `deleteMany`, which allows no relations. */
export function readScalarWhere(vocabulary: Vocabulary, value: unknown, place: Place): Condition {
  vocabulary.requireReadable(place);
  return readConditions(vocabulary, { value, place }, readPlainFilter);
}

function readPlainFilter(word: FieldWord, value: unknown, place: Place): Condition {
  if (word.kind === 'relationship') place.refuse('is a relation; this filter takes plain fields only.', 'invalid-filter');
  return readFieldFilter(word, value, place);
}

/** Reads an object of conditions with `AND`, `OR` and `NOT`. The given reader reads the conditions on fields. */
export function readConditions(vocabulary: Vocabulary, { value, place }: Given, readField: FieldReader = readFieldFilter): Condition {
  return readMembers({ vocabulary, readField, depth: 0 }, value, place);
}

interface Reading {
  readonly vocabulary: Vocabulary;
  readonly readField: FieldReader;
  /** The number of groups around the object. */
  readonly depth: number;
}

function readMembers(reading: Reading, value: unknown, place: Place): Condition {
  const { vocabulary, readField } = reading;
  const members = readObject(value, place);
  const keys = Object.keys(members);
  if (keys.length === 0) place.spendTerms(1);
  const conditions = keys.map((key) => {
    const at = place.member(key);
    const word = vocabulary.find(key);
    if (word) return readField(word, members[key], at);
    if (isConnective(key)) return readGroup(reading, key, { value: members[key], place: at });
    return at.refuseUnknown([...vocabulary.names(), ...CONNECTIVES]);
  });
  return and(...conditions);
}

type Connective = (typeof CONNECTIVES)[number];

function isConnective(key: string): key is Connective {
  return CONNECTIVES.some((connective) => connective === key);
}

interface Given {
  readonly value: unknown;
  readonly place: Place;
}

/** Reads a group by the semantics of the vocabulary: {@link Vocabulary.groups}. */
function readGroup(reading: Reading, connective: Connective, { value, place }: Given): Condition {
  // `OR` accepts only a list.
  if (connective === 'OR') readList(value, place);
  const inner = { ...reading, depth: reading.depth + 1 };
  const parts = readParts(value, place, (part, at) => readMembers(inner, part, at));
  return reading.vocabulary.groups === 'logical'
    ? connectByLogic(connective, { value, place }, parts)
    : connectAsPrisma(connective, parts, reading.depth);
}

/**
 * Connects parts by logic. {@link ALWAYS} is a true condition here, such as `NOT: { OR: [] }`, and is not skipped. Rejects empty lists of `AND` and
 * `NOT`.
 */
function connectByLogic(connective: Connective, { value, place }: Given, parts: readonly Condition[]): Condition {
  if (connective === 'OR') return or(...parts);
  if (Array.isArray(value)) place.enter(value);
  return and(...(connective === 'NOT' ? parts.map(not) : parts));
}

/**
 * Connects parts as Prisma does, which skips empty ones. An `OR` without remaining parts matches no row, and is itself skipped inside another group.
 */
function connectAsPrisma(connective: Connective, parts: readonly Condition[], depth: number): Condition {
  const stated = parts.filter((part) => part !== ALWAYS);
  switch (connective) {
    case 'AND':
      return and(...stated);
    case 'OR':
      if (stated.length > 0) return or(...stated);
      return depth === 0 ? NEVER : ALWAYS;
    case 'NOT':
      return and(...stated.map(not));
  }
}

function readParts(value: unknown, place: Place, read: (part: unknown, place: Place) => Condition): readonly Condition[] {
  if (!Array.isArray(value)) return [read(value, place)];
  if (value.length === 0) place.spendTerms(1);
  return value.map((part, index) => read(part, place.element(index)));
}

/** Reads the condition on one field. */
function readFieldFilter(word: FieldWord, value: unknown, place: Place): Condition {
  word.requireFilter(place);
  return word.kind === 'relationship' ? readRelationFilter(word, value, place) : readAttributeFilter(word, value, place);
}

function readAttributeFilter(word: AttributeWord, value: unknown, place: Place): Condition {
  if (word.field.list) return readListFilter(word, value, place);
  return word.field.type === 'Json' ? readJsonFilter(word, value, place) : readScalarFilter(word, value, place);
}

function readRelationFilter(word: RelationWord, value: unknown, place: Place): Condition {
  const vocabulary = word.target();
  vocabulary.requireReadable(place);
  if (word.relation.many) return readQuantified(word, value, place);
  const at = place.member('is', 'rows');
  const fits = (operand: unknown): boolean => place.attempt(() => readOne(word, 'is', { value: operand, place: at })) !== undefined;
  const isOperated = isPlainObject(value) && isToOneFilter(value, { has: (name) => vocabulary.find(name) !== undefined, fits });
  return isOperated ? readOperated(word, value, place) : readOne(word, 'is', { value, place });
}

function readQuantified(word: RelationWord, value: unknown, place: Place): Condition {
  const filter = readObject(value, place);
  const keys = Object.keys(filter);
  if (keys.length === 0) place.spendTerms(1);
  const target = word.target();
  const conditions = keys.map((key) => {
    const kind = QUANTIFIERS.find((quantifier) => quantifier === key) ?? place.member(key).refuseUnknown(QUANTIFIERS);
    // An empty condition of `every` is true for all rows.
    const at = place.member(key, kind === 'every' ? undefined : 'rows');
    const condition = readWhere(target, filter[key], at);
    return Object.freeze({ kind, relation: word.relation, target: target.model, condition });
  });
  return and(...conditions);
}

type OneOperator = (typeof ONE_OPERATORS)[number];

function isOneOperator(key: string): key is OneOperator {
  return ONE_OPERATORS.some((operator) => operator === key);
}

function readOperated(word: RelationWord, value: unknown, place: Place): Condition {
  const filter = readObject(value, place);
  const conditions = Object.keys(filter).map((key) => {
    if (!isOneOperator(key)) return place.member(key).refuseUnknown(ONE_OPERATORS);
    const at = place.member(key, 'rows');
    return readOne(word, key, { value: filter[key], place: at });
  });
  return and(...conditions);
}

/** Reads the operand of `is` or `isNot`. Null is the condition that no related row exists. */
function readOne({ relation, target }: RelationWord, operator: OneOperator, { value, place }: Given): Condition {
  const { model } = target();
  if (value !== null) return Object.freeze({ kind: operator, relation, target: model, condition: readWhere(target(), value, place) });
  if (!relation.optional) place.refuse('must not be null: the relation is required.', 'invalid-value');
  place.spendTerms(1);
  return Object.freeze({ kind: operator === 'is' ? 'isNot' : 'is', relation, target: model, condition: ALWAYS });
}

const TO_ONE_OPERATORS: ReadonlySet<string> = new Set(ONE_OPERATORS);

/** The target of a to-one relation. */
interface FilterTarget {
  /** Whether the target has a member with that name. */
  readonly has: (name: string) => boolean;
  /** Whether a value is a valid operand of `is` or `isNot`: conditions on the related row, or null if the relation is optional. */
  readonly fits: (operand: unknown) => boolean;
}

/**
 * Whether a filter on a to-one relation has operators, `{ is, isNot }`. Otherwise it has conditions on the related row, which are a short form of `{
 * is: conditions }`.
 *
 * If the target has a field named `is` or `isNot`, both readings are possible. Prisma reads operators if all members are valid as such.
 */
function isToOneFilter(filter: Readonly<Record<string, unknown>>, target: FilterTarget): boolean {
  const members = Object.entries(filter).filter(([, member]) => member !== undefined);
  if (!members.some(([key]) => TO_ONE_OPERATORS.has(key))) return false;
  if (!members.some(([key]) => target.has(key))) return true;
  return members.every(([key, operand]) => TO_ONE_OPERATORS.has(key) && target.fits(operand));
}
