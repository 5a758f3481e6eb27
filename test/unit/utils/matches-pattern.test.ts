import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { matchesPattern } from '../../../lib/utils/matches-pattern.js';

const FORM = '0000-00-00T00:00:00.000Z';
const EXPRESSION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('matchesPattern', () => {
  it.each([
    ['2026-01-31T23:59:59.000Z', true],
    ['2026-01-31T23:59:59.000', false],
    ['+2026-01-31T23:59:59.000Z', false],
    ['2026-01-31T23:59:59.000Z\n', false],
    ['٢٠٢٦-01-31T23:59:59.000Z', false],
    ['/026-01-31T23:59:59.000Z', false],
    [':026-01-31T23:59:59.000Z', false],
    ['', false],
  ])('returns for %j whether it is a time', (text, isOne) => {
    expect(matchesPattern(text, FORM)).toBe(isOne);
  });

  it('returns what a regular expression returns, for texts with any changed characters', () => {
    const changed = fc.tuple(fc.nat(FORM.length - 1), fc.string({ maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(changed, { maxLength: 3 }), (changes) => {
        const characters = Array.from('2026-01-31T23:59:59.123Z');
        for (const [index, character] of changes) characters[index] = character;
        const text = characters.join('');
        expect(matchesPattern(text, FORM)).toBe(EXPRESSION.test(text));
      }),
    );
  });
});
