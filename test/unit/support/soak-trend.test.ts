import { describe, expect, it } from '@jest/globals';
import { judge, type Quantity, TOLERANCES, trendOf } from '../../../bench/soak/trend.mjs';

const MINUTE = 60_000;
const SAMPLES = 90;
const MEGABYTE = 2 ** 20;

/** A sample every ten seconds of fifteen minutes, with noise that repeats. */
function series(valueAt: (minute: number) => number, noise = 0): { at: number; value: number }[] {
  return Array.from({ length: SAMPLES }, (_, index) => {
    const at = ((index + 1) * 15 * MINUTE) / SAMPLES;
    return { at, value: valueAt(at / MINUTE) + noise * Math.sin(index * 12.9898) };
  });
}

describe('the trend of a soak test', () => {
  it('is the line of least squares', () => {
    const points = [1, 2, 3, 4].map((at) => ({ at, value: 10 + 3 * at }));
    expect(trendOf(points)).toEqual({ mean: 17.5, slope: 3, error: 0 });
    const { slope, error } = trendOf([
      { at: 0, value: 0 },
      { at: 1, value: 3 },
      { at: 2, value: 0 },
    ]);
    expect(slope).toBeCloseTo(0);
    // The square root of 6 / 1 / 2.
    expect(error).toBeCloseTo(Math.sqrt(3));
  });

  it.each<[string, Quantity, (minute: number) => number, number]>([
    ['a leak of 100 bytes a request at 500 requests a second', 'heap', (minute) => 50 * MEGABYTE + minute * 60 * 500 * 100, MEGABYTE],
    ['memory beside the heap', 'rss', (minute) => 200 * MEGABYTE * (1 + minute / 50), 2 * MEGABYTE],
    ['a socket that is left open every minute', 'handles', (minute) => 70 + minute, 1],
    ['a connection that is lost every five minutes', 'connections', (minute) => 10 + Math.floor(minute / 5), 0],
    ['statements that are prepared anew', 'prepared', (minute) => 120 + minute * 3, 5],
    ['responses that get slower', 'latency', (minute) => 5 + 3 * minute, 0.5],
  ])('fails on %s', (_, quantity, valueAt, noise) => {
    expect(judge(quantity, series(valueAt, noise))).toMatchObject({ name: quantity, isTooMuch: true, tolerance: TOLERANCES[quantity] });
  });

  it.each<[string, Quantity, (minute: number) => number, number]>([
    ['noise', 'heap', () => 50 * MEGABYTE, 5 * MEGABYTE],
    ['caches that fill in the first half', 'heap', (minute) => (40 + 10 * Math.min(minute, 6)) * MEGABYTE, MEGABYTE],
    ['memory that is given back', 'rss', (minute) => (300 - 5 * minute) * MEGABYTE, MEGABYTE],
    ['one more handle of few', 'handles', (minute) => (minute > 12 ? 3 : 2), 0],
    ['a constant', 'connections', () => 10, 0],
  ])('accepts %s', (_, quantity, valueAt, noise) => {
    expect(judge(quantity, series(valueAt, noise))).toMatchObject({ isTooMuch: false });
  });

  it('is not judged by a few samples', () => {
    expect(() => judge('heap', series(() => 1).slice(0, 6))).toThrow('too few to judge');
  });
});
