import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { SuperJSON } from 'superjson';
import { SuperJSON as SuperJSON1 } from 'superjson1';

/** superjson as the specification's clients set it up: an own instance with the custom types Decimal and Bytes. */
export const superjson = withCustomTypes(new SuperJSON());

/** superjson 1.13, set up alike. */
export const superjson1 = withCustomTypes(new SuperJSON1() as unknown as SuperJSON);

/** superjson without the custom type Bytes: typed arrays leave in its own form. */
export const superjsonWithoutBytes = withDecimal(new SuperJSON());

function withCustomTypes(instance: SuperJSON): SuperJSON {
  instance.registerCustom<Uint8Array, string>(
    {
      isApplicable: (value): value is Uint8Array => value instanceof Uint8Array,
      serialize: (value) => Buffer.from(value).toString('base64'),
      deserialize: (value) => new Uint8Array(Buffer.from(value, 'base64')),
    },
    'Bytes',
  );
  return withDecimal(instance);
}

function withDecimal(instance: SuperJSON): SuperJSON {
  instance.registerCustom<Decimal, string>(
    {
      isApplicable: (value): value is Decimal => Decimal.isDecimal(value),
      serialize: (value) => value.toJSON(),
      deserialize: (value) => new Decimal(value),
    },
    'Decimal',
  );
  return instance;
}

/** What a network does to a value. */
export function overTheWire<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

export const reviveDecimal = (text: string): Decimal => new Decimal(text);

export const anyDate = fc.date({ noInvalidDate: true });
export const anyBigint = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
export const anyBytes = fc.uint8Array({ maxLength: 20 });
export const anyDecimal = fc
  .oneof(
    fc.double().map(String),
    anyBigint.map(String),
    fc.tuple(anyBigint, fc.nat()).map((parts) => parts.join('.')),
    fc.constantFrom('-0', '1e+40', '1e-40'),
  )
  .map((text) => new Decimal(text));

/** Values of every type that a database returns, and the numbers that JSON lacks. */
/** Without -0, which responses have as 0. */
export const anyDouble = fc.double().map((value) => value + 0);

export const anyScalar = fc.oneof(
  fc.string(),
  fc.integer(),
  anyDouble,
  fc.constantFrom(0, NaN, Infinity, -Infinity),
  fc.boolean(),
  fc.constantFrom(null, undefined),
  anyDate,
  anyBigint,
  anyBytes,
  anyDecimal,
);

const AWKWARD_KEYS = ['', '.', 'a.b', '..', 'meta', 'json', 'toString', 'length', 'hasOwnProperty', '0', '00', 'values', '__proto', ' '];

/** Keys that every version of superjson writes alike. */
export const anyKey = fc
  .oneof(fc.string({ maxLength: 5 }), fc.constantFrom(...AWKWARD_KEYS))
  .filter((key) => !key.includes('\\') && !isReserved(key));

/** Keys with backslashes too, which superjson 1.13 confuses. */
export const anyKeyWithBackslash = fc
  .oneof(
    anyKey,
    fc.constantFrom('\\', 'a\\b', 'a\\', '\\.', 'a\\.b', '\\\\'),
    fc.string({ unit: fc.constantFrom('a', '.', '\\'), maxLength: 5 }),
  )
  .filter((key) => !isReserved(key));

/** Any nesting of plain objects and lists over {@link anyScalar}. */
export function anyValue(key: fc.Arbitrary<string>, scalar: fc.Arbitrary<unknown> = anyScalar): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(key, tie('value'), { maxKeys: 6, noNullPrototype: true }),
    ),
  }));
  return value;
}

/** Freezes a value and everything in it, so that a mutation throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

function isReserved(key: string): boolean {
  return ['__proto__', 'constructor', 'prototype'].includes(key);
}
