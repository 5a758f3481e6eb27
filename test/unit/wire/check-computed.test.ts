import { expect, it } from '@jest/globals';
import { Decimal } from 'decimal.js';
import type { Attribute, Resource } from '../../../lib/model/surface/surface.js';
import { checkComputedValue, checkComputedFields } from '../../../lib/wire/check-computed.js';
import { attributeOf } from '../model/attribute-of.js';

const VALUES = {
  String: 'a',
  Boolean: true,
  Int: 1,
  BigInt: 1n,
  Float: 1.5,
  Decimal: new Decimal('1.50'),
  DateTime: new Date(0),
  Bytes: new Uint8Array([1]),
} as const satisfies Partial<Record<Attribute['type'], unknown>>;

const CASES = Object.entries(VALUES).flatMap(([type, own]) =>
  Object.entries(VALUES).map(([other, value]) => [type as keyof typeof VALUES, other, value, own === value] as const),
);

it.each(CASES)('accepts for a computed %s the value of a %s only if it is one', (type, other, value, isSame) => {
  const check = (): void => {
    checkComputedValue(attributeOf(type), value);
  };
  // A whole number is a Float, too.
  if (isSame || (type === 'Float' && other === 'Int')) expect(check).not.toThrow();
  else expect(check).toThrow(`is declared as ${type} in resources`);
});

it.each<[value: unknown, kind: string]>([
  [{ passwordHash: 'SECRET' }, 'an object'],
  [['SECRET'], 'a list'],
  [undefined, 'undefined'],
  [null, 'null'],
  [() => 'SECRET', 'of the type function'],
])('names the kind of a wrong value %p, and not the value', (value, kind) => {
  expect(() => {
    checkComputedValue({ ...attributeOf('String'), model: 'User', name: 'fullName' }, value);
  }).toThrow(`The computed field 'User.fullName' is declared as String in resources, and its value is ${kind}.`);
});

it('accepts null where the type has a question mark', () => {
  expect(() => {
    checkComputedValue({ ...attributeOf('String'), optional: true }, null);
  }).not.toThrow();
});

it('accepts a list of such values where the type is a list', () => {
  const labels = { ...attributeOf('String'), list: true };
  expect(() => {
    checkComputedValue(labels, ['a', 'b']);
  }).not.toThrow();
  for (const value of ['a', ['a', 1], null]) {
    expect(() => {
      checkComputedValue(labels, value);
    }).toThrow('String[]');
  }
});

it('accepts any JSON value for Json', () => {
  for (const value of [{ a: 1 }, [1], 'a', 1, false]) {
    expect(() => {
      checkComputedValue(attributeOf('Json'), value);
    }).not.toThrow();
  }
});

it.each([null, undefined, 1, '1.5', {}, { toStringTag: '[object Decimal]' }])('refuses %p as a Decimal', (value) => {
  expect(() => {
    checkComputedValue(attributeOf('Decimal'), value);
  }).toThrow('is declared as Decimal in resources');
});

it('refuses null in a list', () => {
  expect(() => {
    checkComputedValue({ ...attributeOf('Decimal'), list: true }, [null]);
  }).toThrow('is declared as Decimal[] in resources');
});

it('refuses any value for an Enum, which the option resources cannot declare', () => {
  expect(() => {
    checkComputedValue({ ...attributeOf('Enum'), optional: true }, 'A');
  }).toThrow('is declared as Enum? in resources');
});

it('checks the computed fields that a row has', () => {
  const labels = { ...attributeOf('String'), list: true, optional: true };
  // The check reads this member alone.
  const resource = { computed: [attributeOf('Int'), { ...labels, name: 'labels' }] } as unknown as Resource;
  const check = (row: Readonly<Record<string, unknown>>, of: Resource | undefined) => (): void => {
    checkComputedFields(row, of);
  };
  expect(check({}, resource)).not.toThrow();
  expect(check({ int: 1, labels: ['a'] }, resource)).not.toThrow();
  expect(check({ int: 1, labels: null, other: 1n }, resource)).not.toThrow();
  expect(check({ int: '1' }, undefined)).not.toThrow();
  expect(check({ int: '1' }, resource)).toThrow("'Model.int' is declared as Int ");
  expect(check({ int: undefined }, resource)).toThrow("'Model.int' is declared as Int ");
  expect(check({ int: 1, labels: [1] }, resource)).toThrow("'Model.labels' is declared as String[]? ");
});
