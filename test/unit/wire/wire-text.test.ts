import { describe, expect, it } from '@jest/globals';
import { annotationOfType, annotationOfTyped, isWireText } from '../../../lib/wire/wire-text.js';

type TypeName = Parameters<typeof isWireText>[0];

const DATE = '2024-01-31T01:02:03.004Z';

describe('a text in the wire form', () => {
  it.each<[TypeName, text: string, annotation: unknown]>([
    ['DateTime', DATE, ['Date']],
    ['BigInt', '7', ['bigint']],
    ['Decimal', '7', [['custom', 'Decimal']]],
    ['Bytes', 'AQI=', [['custom', 'Bytes']]],
    ['Float', 'NaN', ['number']],
  ])('of the type %s is annotated as its type', (type, text, annotation) => {
    expect([isWireText(type, text), annotationOfType(type), annotationOfTyped(type, text)]).toEqual([true, annotation, annotation]);
  });

  it.each<[TypeName, value: unknown]>([
    ['String', DATE],
    ['Enum', 'A'],
    ['Boolean', 'true'],
    ['Int', '7'],
    ['Json', '7'],
    ['BigInt', DATE],
    ['DateTime', '7'],
    ['Float', '7'],
  ])('of the type %s is not %p', (type, value) => {
    expect([isWireText(type, value), annotationOfTyped(type, value)]).toEqual([false, undefined]);
  });

  it.each<[TypeName, value: unknown, annotation: unknown]>([
    ['BigInt', 7, undefined],
    ['BigInt', 7n, ['bigint']],
    ['DateTime', new Date(0), ['Date']],
    ['Bytes', Uint8Array.of(1), [['custom', 'Bytes']]],
    ['String', null, undefined],
  ])('of the type %s is not %p, which is annotated by its run-time type', (type, value, annotation) => {
    expect([isWireText(type, value), annotationOfTyped(type, value)]).toEqual([false, annotation]);
  });

  it('does not exist for types that JSON has', () => {
    const types = ['String', 'Enum', 'Boolean', 'Int', 'Json'] as const;
    expect(types.map((type) => annotationOfType(type))).toEqual(types.map(() => undefined));
  });
});
