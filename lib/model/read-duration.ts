import { mistyped } from './check-option.js';

export { MAX_TIMER } from '../utils/max-timer.js';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Returns a duration in milliseconds, from a number of milliseconds or a text like `'30m'`.
 *
 * @throws ConfigurationError for any other value, undefined included
 */
export function readDuration(place: string, given: unknown): number {
  const [, number = '', unit = 'ms'] = /^(\d+) *(ms|s|m|h|d)$/.exec(String(given)) ?? [];
  const value = typeof given === 'number' ? given : Number(number) * (UNITS[unit] ?? NaN);
  if (Number.isInteger(value) && value > 0) return value;
  throw mistyped(place, given, "a number of milliseconds, or a text like '30m', '24h' or '7d'");
}
