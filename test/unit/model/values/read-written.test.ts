import { describe, expect, it } from '@jest/globals';
import type { TypedField } from '../../../../lib/model/values/scalar-types.js';
import { readWritten, readWrittenKey } from '../../../../lib/model/values/read-written.js';

const date = (...nativeType: readonly [string, readonly string[]] | readonly []): TypedField => {
  const [name, args] = nativeType;
  return { type: 'DateTime', ...(name !== undefined && args && { nativeType: [name, args] as const }) };
};
const at = (milliseconds: string): Date => new Date(`2026-01-01T00:00:00.${milliseconds}Z`);

describe('readWrittenKey', () => {
  it.each([
    [date('Timestamp', ['0']), '600', 'a date without fractions of a second'],
    [date('Time', ['0']), '001', 'a date without fractions of a second'],
    [date('Timestamptz', ['2']), '601', 'a date with at most 2 decimal places'],
    [date('Timestamp', ['1']), '060', 'a date with at most 1 decimal places'],
  ])('rejects a date that a column %j rounds', (field, milliseconds, expected) => {
    expect(readWrittenKey(field, at(milliseconds))).toEqual({ expected });
    expect(readWritten(field, at(milliseconds))).toHaveProperty('value');
  });

  it.each([
    [date('Timestamp', ['0']), '000'],
    [date('Timestamptz', ['2']), '600'],
    [date('Timestamp', ['1']), '600'],
    [date('Timestamp', ['6']), '601'],
    [date('Timestamp', []), '601'],
    [date(), '601'],
  ])('reads a date that a column %j stores as it is', (field, milliseconds) => {
    expect(readWrittenKey(field, at(milliseconds))).toEqual({ value: at(milliseconds) });
  });

  it('rejects what a value of a write may not be', () => {
    const field: TypedField = { type: 'Decimal', nativeType: ['Decimal', ['10', '2']] };
    expect(readWrittenKey(field, '12.345')).toEqual({
      expected: 'a decimal number with at most 8 digits before the decimal point and 2 after it',
    });
    expect(readWrittenKey(field, '12.34')).toEqual({ value: '12.34' });
  });
});
