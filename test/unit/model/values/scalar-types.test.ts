import { describe, expect, it } from '@jest/globals';
import { sample } from '../../../support/sample.js';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import type { Attribute } from '../../../../lib/model/surface/surface.js';
import { readJson, readText } from '../../../../lib/model/values/scalar-types.js';
import { attributeOf } from '../attribute-of.js';

const TEXTS: readonly (readonly [
  attribute: Attribute,
  accepted: readonly (readonly [text: string, value: unknown])[],
  refused: readonly string[],
])[] = [
  [
    attributeOf('Int'),
    [
      ['0', 0],
      ['-2147483648', -(2 ** 31)],
      ['2147483647', 2 ** 31 - 1],
    ],
    ['', ' 1', '1 ', '1abc', '1e3', '1.0', '+1', '01', '-0', '0x10', '1_000', '2147483648', '-2147483649', 'NaN', 'Infinity', '١'],
  ],
  [attributeOf('Int', ['SmallInt', []]), [['32767', 32767]], ['32768', '-32769']],
  [attributeOf('Int', ['UnsignedInt', []]), [['4294967295', 4294967295]], ['-1', '4294967296']],
  [
    attributeOf('BigInt'),
    [
      ['-9223372036854775808', -(2n ** 63n)],
      ['9223372036854775807', 2n ** 63n - 1n],
    ],
    ['', '9223372036854775808', '-9223372036854775809', '1n', '1.5', '9'.repeat(100_000)],
  ],
  [attributeOf('BigInt', ['UnsignedBigInt', []]), [['18446744073709551615', 2n ** 64n - 1n]], ['-1', '18446744073709551616']],
  [
    attributeOf('Float'),
    [
      ['1.5', 1.5],
      ['-0.25', -0.25],
      ['1e3', 1000],
    ],
    ['', '.5', '1.', '1,5', 'NaN', 'Infinity', '1e999', '1abc', '0x1'],
  ],
  [
    attributeOf('Decimal'),
    [
      ['12345678901234567890.0123456789', '12345678901234567890.0123456789'],
      ['-0.10', '-0.10'],
      ['1e-7', '1e-7'],
    ],
    ['', 'NaN', 'Infinity', '1.', '.1', '1e100000', '0x1', '9'.repeat(1001)],
  ],
  [
    attributeOf('Boolean'),
    [
      ['true', true],
      ['false', false],
    ],
    ['', '1', '0', 'TRUE', 'yes'],
  ],
  [
    attributeOf('String'),
    [
      ['', ''],
      [' a ', ' a '],
      ['6F9619FF-8b86-d011-b42d-00cf4fc964ff', '6F9619FF-8b86-d011-b42d-00cf4fc964ff'],
      ['😀', '😀'],
    ],
    ['a\0b', '\ud83d', '\ude00\ud83d'],
  ],
  [
    attributeOf('String', ['Uuid', []]),
    [
      ['6f9619ff-8b86-d011-b42d-00cf4fc964ff', '6f9619ff-8b86-d011-b42d-00cf4fc964ff'],
      ['6F9619FF-8b86-D011-B42D-00CF4FC964FF', '6f9619ff-8b86-d011-b42d-00cf4fc964ff'],
    ],
    ['abc', '', '6f9619ff8b86d011b42d00cf4fc964ff', '{6f9619ff-8b86-d011-b42d-00cf4fc964ff}', '6f9619ff-8b86-d011-b42d-00cf4fc964ff\n'],
  ],
  [
    attributeOf('String', ['UniqueIdentifier', []]),
    [['6F9619FF-8B86-D011-B42D-00CF4FC964FF', '6f9619ff-8b86-d011-b42d-00cf4fc964ff']],
    ['abc'],
  ],
  [attributeOf('String', ['ObjectId', []]), [['507F1f77bcf86cd799439011', '507f1f77bcf86cd799439011']], ['507f1f77bcf86cd79943901', 'x']],
  [attributeOf('String', ['Bit', ['4']]), [['0101', '0101']], ['0121', '']],
  [attributeOf('String', ['VarChar', ['2']]), [['longer than the column', 'longer than the column']], []],
  [attributeOf('DateTime'), [['2024-01-31T10:00:00Z', new Date('2024-01-31T10:00:00Z')]], ['', '1', '2024-01-31T10:00:00']],
  [
    attributeOf('Json'),
    [
      ['null', null],
      ['{"a":[1]}', { a: [1] }],
      ['"x"', 'x'],
    ],
    ['', '{', 'x', "{'a':1}"],
  ],
  [
    attributeOf('Bytes'),
    [
      ['', new Uint8Array()],
      ['AQID', new Uint8Array([1, 2, 3])],
      ['/+8=', new Uint8Array([255, 239])],
    ],
    ['A', 'AQI', 'AQI-', 'AQ==AQ==', ' AQID', 'AQID\n'],
  ],
  [
    attributeOf('Enum', undefined, ['READER', 'ADMIN']),
    [['ADMIN', 'ADMIN']],
    ['', 'admin', 'READER,ADMIN', 'constructor', '__proto__', 'toString'],
  ],
];

describe('readText', () => {
  for (const [attribute, accepted, refused] of TEXTS) {
    const type = `${attribute.type}${attribute.nativeType ? ` @db.${attribute.nativeType[0]}` : ''}`;

    for (const [text, value] of accepted) {
      it(`reads ${JSON.stringify(text)} as ${type}`, () => {
        expect(readText(attribute, text)).toStrictEqual({ value });
      });
    }

    for (const text of refused) {
      it(`refuses ${JSON.stringify(text.slice(0, 40))} as ${type}`, () => {
        expect(readText(attribute, text)).toStrictEqual({ expected: expect.any(String) });
      });
    }
  }

  it.each([
    [attributeOf('Int'), 'an integer between -2147483648 and 2147483647'],
    [attributeOf('Int', ['SmallInt', []]), 'an integer between -32768 and 32767'],
    [attributeOf('BigInt'), 'an integer between -9223372036854775808 and 9223372036854775807 (as a string beyond 9007199254740991)'],
    [attributeOf('Float'), 'a finite number'],
    [attributeOf('Decimal'), 'a decimal number (as a string beyond 15 significant digits)'],
    [attributeOf('Boolean'), 'true or false'],
    [attributeOf('String', ['Uuid', []]), 'a UUID'],
    [attributeOf('DateTime'), 'an ISO 8601 date and time with a time zone, such as 2024-01-31T10:00:00Z'],
    [attributeOf('DateTime', ['Date', []]), 'a date such as 2024-01-31'],
    [attributeOf('DateTime', ['Time', []]), 'a time of the day 1970-01-01 in UTC, such as 1970-01-01T13:30:00Z'],
    [attributeOf('DateTime', ['Timetz', []]), 'a time of the day 1970-01-01 in UTC, such as 1970-01-01T13:30:00Z'],
    [
      attributeOf('Json'),
      "a JSON value of at most 100 levels, without NUL characters, lone surrogates and the key '__prismaRawParameters__'",
    ],
    [attributeOf('Bytes'), 'a Base64 string'],
    [attributeOf('Enum', undefined, ['READER', 'ADMIN']), "one of 'READER', 'ADMIN'"],
  ] as const)('returns a description of the expected text: %#', (attribute, expected) => {
    expect(readText(attribute, '!')).toEqual({ expected });
  });

  it('returns a description of the characters that a string may not contain', () => {
    expect(readText(attributeOf('String'), '\0')).toEqual({ expected: 'a string without NUL characters and lone surrogates' });
  });
});

describe('readJson', () => {
  const decimal = new Decimal('0.10');
  const bytes = new Uint8Array([1]);
  const date = new Date('2024-01-31T10:00:00Z');
  const json = { constructor: 1, meta: [null, { __proto__: 2 }] };

  it.each([
    [attributeOf('Int'), 5, 5],
    [attributeOf('BigInt'), 5, 5n],
    [attributeOf('BigInt'), '9007199254740993', 9007199254740993n],
    [attributeOf('BigInt'), 2n ** 62n, 2n ** 62n],
    [attributeOf('Float'), 0.5, 0.5],
    [attributeOf('Decimal'), '0.10', '0.10'],
    [attributeOf('Decimal'), 9.99, '9.99'],
    [attributeOf('Decimal'), 123456789.012345, '123456789.012345'],
    [attributeOf('Decimal'), -1e-7, '-1e-7'],
    [attributeOf('Decimal'), 1e15, '1000000000000000'],
    [attributeOf('Decimal'), decimal, decimal],
    [attributeOf('Boolean'), false, false],
    [attributeOf('String'), '', ''],
    [attributeOf('String', ['Uuid', []]), '6F9619FF-8B86-D011-B42D-00CF4FC964FF', '6f9619ff-8b86-d011-b42d-00cf4fc964ff'],
    [attributeOf('DateTime'), '2024-01-31T10:00:00Z', date],
    [attributeOf('DateTime'), date, date],
    [attributeOf('DateTime', ['Date', []]), '2024-01-31', new Date('2024-01-31T00:00:00Z')],
    [attributeOf('Json'), json, json],
    [attributeOf('Json'), false, false],
    [attributeOf('Bytes'), 'AQ==', bytes],
    [attributeOf('Bytes'), bytes, bytes],
    [attributeOf('Enum', undefined, ['READER']), 'READER', 'READER'],
  ] as const)('reads what a client sends: %#', (attribute, value, expected) => {
    expect(readJson(attribute, value)).toStrictEqual({ value: expected });
  });

  it.each([
    [attributeOf('Int'), ['5', 5n, 1.5, Number.NaN, 2 ** 31, true, {}, [], [5], { toString: '5' }, undefined]],
    [attributeOf('BigInt'), [2 ** 53, 1.5, '1.5', 2n ** 63n, {}, true, undefined]],
    [attributeOf('Float'), ['1.5', Number.NaN, Infinity, 1n, {}, undefined]],
    [
      attributeOf('Decimal'),
      [
        2 ** 53,
        1e21,
        0.1 + 0.2,
        1234567890.1234567,
        Number.NaN,
        new Decimal(Number.NaN),
        new Decimal(Infinity),
        { d: 1 },
        { d: [1], e: 0, s: 1, toFixed: 'x' },
        [],
        undefined,
      ],
    ],
    [attributeOf('Boolean'), ['true', 1, 0, {}, undefined]],
    [attributeOf('String'), [1, true, {}, ['a'], '\0', '\ud800', undefined]],
    [attributeOf('DateTime'), [0, 1700000000000, '2023-02-30T00:00:00Z', new Date(Number.NaN), new Date(8.64e15), {}, undefined]],
    [attributeOf('Json'), [undefined]],
    [attributeOf('Bytes'), ['A', [1, 2], { 0: 1 }, 1, undefined]],
    [attributeOf('Enum', undefined, ['READER']), ['reader', 0, ['READER'], undefined]],
  ] as const)('refuses other values: %#', (attribute, values) => {
    for (const value of values) expect(readJson(attribute, value)).toStrictEqual({ expected: expect.any(String) });
  });

  it('returns Json itself, and no copy', () => {
    const reading = readJson(attributeOf('Json'), json);
    expect('value' in reading && reading.value === json).toBe(true);
  });
});

describe('reading and writing', () => {
  it('reads back every integer and number as it is written', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (int, big, float) => {
          expect(readText(attributeOf('Int'), String(int))).toEqual({ value: int === 0 ? 0 : int });
          expect(readText(attributeOf('BigInt'), String(big))).toEqual({ value: big });
          expect(readText(attributeOf('Float'), String(float))).toEqual({ value: float === 0 ? 0 : float });
        },
      ),
    );
  });

  it('takes the text of every Decimal, with every digit', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 60n), 10n ** 60n), fc.integer({ min: -60, max: 60 }), (digits, exponent) => {
        const decimal = new Decimal(`${digits}e${exponent}`);
        const reading = readText(attributeOf('Decimal'), decimal.toString());
        expect('value' in reading && new Decimal(String(reading.value)).equals(decimal)).toBe(true);
      }),
    );
  });

  it('reads megabytes of Base64, which a body may hold', () => {
    const reading = readJson(attributeOf('Bytes'), Buffer.alloc(6_000_000, 255).toString('base64'));
    expect('value' in reading && reading.value).toHaveLength(6_000_000);
  });

  it('reads back all bytes from Base64', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(readText(attributeOf('Bytes'), Buffer.from(bytes).toString('base64'))).toEqual({ value: bytes });
      }),
    );
  });

  it('returns a result for any text or value, and never throws', () => {
    const attributes = TEXTS.map(([attribute]) => attribute);
    fc.assert(
      fc.property(fc.constantFrom(...attributes), fc.string({ unit: 'binary' }), fc.anything(), (attribute, text, value) => {
        for (const reading of [readText(attribute, text), readJson(attribute, value)]) {
          expect(Object.keys(reading)).toHaveLength(1);
        }
      }),
      { numRuns: sample.choose(30, 300) },
    );
  });
});
