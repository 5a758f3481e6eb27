import { readRetryAfter } from '../../../lib/client/retry.js';

describe('readRetryAfter', () => {
  const now = Date.parse('2026-01-05T10:00:00Z');

  it.each([
    ['120', 120],
    ['Mon, 05 Jan 2026 10:01:30 GMT', 90],
    ['Mon, 05 Jan 2026 09:00:00 GMT', 0],
    ['', undefined],
    ['later', undefined],
    [null, undefined],
    [undefined, undefined],
  ])('reads %j as %j seconds', (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds);
  });
});
