import { Decimal } from 'decimal.js';

/**
 * Returns a value in a format that distinguishes types, but not Prisma's Decimal from ours, nor Buffer from Uint8Array. Values that a database or Prisma
 * has just generated (`now()`, `updatedAt`, `uuid()`) differ between calls, and are replaced by their kind.
 */
export function comparable(value: unknown): unknown {
  if (value instanceof Date)
    return Date.now() - value.getTime() < RECENT && value.getTime() <= Date.now() ? 'now' : `Date ${value.toISOString()}`;
  if (value instanceof Uint8Array) return `Bytes ${Buffer.from(value).toString('hex')}`;
  if (Decimal.isDecimal(value)) return `Decimal ${value.toFixed()}`;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value === 'bigint') return `BigInt ${value}`;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, MADE_UP.test(String(member)) ? 'made up' : comparable(member)]),
    );
  }
  return value;
}

const RECENT = 60 * 60 * 1000;

/** A cuid, or a random UUID; the seed's have zeros. */
const MADE_UP = /^(?:c[a-z\d]{24}|[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-(?!0000)[\da-f]{12})$/;
