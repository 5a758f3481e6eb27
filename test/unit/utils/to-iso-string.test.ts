import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toIsoString } from '../../../lib/utils/to-iso-string.js';

it('returns what toISOString returns, for every date', () => {
  const bounds = fc.constantFrom(0, -1, 1, 8.64e15, -8.64e15, -62167219200000, -62167219200001, 253402300799999, 253402300800000);
  const dates = fc.oneof(
    fc.date({ noInvalidDate: true }),
    bounds.map((time) => new Date(time)),
    fc.integer().map((time) => new Date(time)),
  );
  fc.assert(
    fc.property(dates, (date) => {
      expect(toIsoString(date)).toBe(date.toISOString());
    }),
    { numRuns: 3000 },
  );
});
