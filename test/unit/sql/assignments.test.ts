import fc from 'fast-check';
import { nanoid, ulid, uuid7 } from '../../../lib/sql/assignments.js';

describe('uuid7', () => {
  it('has the version, the variant and the time', () => {
    const now = Date.parse('2026-01-02T03:04:05.678Z');
    const text = uuid7(now);
    expect(text).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(Number.parseInt(text.replaceAll('-', '').slice(0, 12), 16)).toBe(now);
  });

  it('ascends, also within a millisecond, and where the clock goes back', () => {
    const now = Date.parse('2030-01-01');
    const ids = Array.from({ length: 10_000 }, (_, index) => uuid7(index === 5000 ? now - 60_000 : now));
    expect(ids).toEqual([...new Set(ids)].sort());
  });
});

describe('nanoid', () => {
  it('has so many of 64 characters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 255 }), (size) => {
        expect(nanoid(size)).toMatch(new RegExp(`^[\\w-]{${size}}$`));
      }),
    );
  });
});

describe('ulid', () => {
  it('begins with the time', () => {
    // The example of the specification.
    expect(ulid(1_469_918_176_385)).toMatch(/^01ARYZ6S41[0-9A-HJKMNP-TV-Z]{16}$/);
    expect(ulid(0)).toMatch(/^0{10}[0-9A-HJKMNP-TV-Z]{16}$/);
  });
});
