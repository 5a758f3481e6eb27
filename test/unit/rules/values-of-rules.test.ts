import { describe, expect, it } from '@jest/globals';
import { buildStorage } from '../../../lib/model/storage/build-storage.js';
import { readRule } from '../../../lib/rules/read-rule.js';
import { Prisma } from '../../support/generated/prisma/client.js';
import { schemaOf } from '../rpc/model-of.js';

const storage = buildStorage(
  schemaOf(`
enum Kind {
  ONE
  TWO
}
model Thing {
  id       Int      @id
  string   String
  boolean  Boolean
  int      Int
  bigInt   BigInt
  float    Float
  decimal  Decimal
  dateTime DateTime
  bytes    Bytes
  kind     Kind
  json     Json
}
`),
);

/** The problem of a rule that compares a field with a value; undefined where it is taken. */
function problemOf(field: string, equals: unknown): string | undefined {
  const problem: { text?: string } = {};
  try {
    readRule(storage, 'Thing', { [field]: { equals } }, (text) => {
      problem.text = text;
      throw new Error(text);
    });
  } catch (error) {
    if (problem.text === undefined) throw error;
  }
  return problem.text;
}

const VALUES = {
  'a text': 'x',
  'a number as text': '1.5',
  'a date as text': '2026-01-01T00:00:00.000Z',
  'a name': 'ONE',
  'true': true,
  'a number': 7,
  'a bigint': 7n,
  'a Date': new Date(0),
  'bytes': new Uint8Array([1]),
  'a Decimal': new Prisma.Decimal('1.5'),
  'null of Json': Prisma.JsonNull,
  'an object': { a: 1 },
} as const;
type Value = keyof typeof VALUES;

const NUMBERS: readonly Value[] = ['a number', 'a bigint'];
const TEXTS: readonly Value[] = ['a text', 'a number as text', 'a date as text', 'a name'];

/** The values that a field of a type takes, and what it must be. */
const TYPES: readonly (readonly [field: string, takes: readonly Value[], expected: string])[] = [
  ['string', TEXTS, 'a string'],
  ['boolean', ['true'], 'true or false'],
  ['int', NUMBERS, 'a number'],
  ['bigInt', NUMBERS, 'a bigint or a number'],
  ['float', NUMBERS, 'a number'],
  ['decimal', [...NUMBERS, 'a number as text', 'a Decimal'], 'a Decimal, a number or a string'],
  ['dateTime', ['a date as text', 'a Date'], 'a Date or a string'],
  ['bytes', ['bytes'], 'a Uint8Array'],
  ['kind', ['a name'], 'a value of the enum'],
  ['json', [...TEXTS, ...NUMBERS, 'true', 'a Date', 'bytes', 'a Decimal', 'null of Json', 'an object'], 'a JSON value'],
];

const ROWS = TYPES.flatMap(([field, takes, expected]) =>
  (Object.keys(VALUES) as Value[]).map((value) => ({ field, value, isTaken: takes.includes(value), expected })),
);

describe('a value in a rule', () => {
  it.each(ROWS.filter(({ isTaken }) => isTaken))('$value is taken by the field $field', ({ field, value }) => {
    expect(problemOf(field, VALUES[value])).toBeUndefined();
  });

  // A text of the wrong form is refused with the type of the column.
  const others = ROWS.filter(
    ({ isTaken, field, value }) => !isTaken && !(TEXTS.includes(value) && ['decimal', 'dateTime'].includes(field)),
  );
  it.each(others)('$value is refused by the field $field, which must be $expected', ({ field, value, expected }) => {
    expect(problemOf(field, VALUES[value])).toMatch(
      new RegExp(`'${field}(?:\\.equals)?' must be ${expected}\\.$|which is no value of a field`),
    );
  });

  it.each([
    ['int', 2 ** 31],
    ['int', 1.5],
    ['bigInt', 2n ** 63n],
    ['decimal', 'x'],
    ['dateTime', 'yesterday'],
    ['string', 'a\u0000b'],
    ['json', { a: 'a\u0000b' }],
  ])('that no column of the type can store is refused: %s %s', (field, value) => {
    expect(problemOf(field, value)).toMatch(new RegExp(`'${field}(?:\\.equals)?' must be `));
  });

  it.each<[string, object]>([
    [
      'a class without a name',
      {
        constructor: (() =>
          class {
            id = 1;
          })(),
      },
    ],
    ['no class', { constructor: 'Thing' }],
  ])('that is an instance of %s is refused, and names none', (_, prototype) => {
    expect(problemOf('int', Object.create(prototype))).toBe("gave an instance of a class at 'int.equals', which is no value of a field.");
  });
});
