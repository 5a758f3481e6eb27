import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Prisma } from '../../support/generated/prisma/client.js';
import type { HashedField } from '../../../lib/model/surface/surface.js';
import { rowHash } from '../../../lib/wire/row-hash.js';

const TEXTS: readonly HashedField[] = [
  { name: 'first', type: 'String' },
  { name: 'second', type: 'String' },
];

const hashOf = (first: unknown, second: unknown): string | undefined => rowHash({ first, second }, TEXTS);

describe('the hash of a row', () => {
  it('is the same for equal values alone, also where one text could be split between fields', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom(null, 'null', '"null"', '', ',', '","', '\\"', '\\'));
    fc.assert(
      fc.property(fc.tuple(text, text), fc.tuple(text, text), ([a, b], [c, d]) => {
        expect(hashOf(a, b) === hashOf(c, d)).toBe(a === c && b === d);
      }),
    );
  });

  it.each<[HashedField['type'], unknown, unknown]>([
    ['BigInt', 2n ** 60n, 2n ** 60n + 1n],
    ['DateTime', new Date(0), new Date(1)],
    ['Decimal', new Prisma.Decimal('0.1'), new Prisma.Decimal('0.10000000000000000001')],
    ['Bytes', Uint8Array.of(0), Uint8Array.of(0, 0)],
    ['Boolean', false, null],
    ['Int', 0, null],
    ['Enum', 'A', 'B'],
  ])('differs for values of %s that differ', (type, one, other) => {
    const fields = [{ name: 'field', type }];
    expect(rowHash({ field: one }, fields)).toMatch(/^h[\w-]{22}$/);
    expect(rowHash({ field: one }, fields)).not.toBe(rowHash({ field: other }, fields));
  });

  it('does not exist for a row that lacks a value', () => {
    expect(rowHash({ first: 'x' }, TEXTS)).toBeUndefined();
    expect(rowHash({}, [{ name: 'json', type: 'Json' }])).toBeUndefined();
  });

  it('does not exist for a row with a value of another type', () => {
    expect(hashOf('x', 1)).toBeUndefined();
  });

  // Clients store hashes as versions.
  it('is the same in each release', () => {
    expect(hashOf('x', null)).toBe('hhUrerb48dhczUp6BM1-E2M');
  });
});
