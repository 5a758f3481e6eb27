import { memberOf } from './member-of.js';

/** Returns the driver adapter's error that Prisma wraps (`meta.driverAdapterError`); undefined if there is none. */
export function adapterErrorOf(error: unknown): unknown {
  return memberOf(memberOf(error, 'meta'), 'driverAdapterError');
}

/**
 * Returns the driver's own report: `originalCode`, `originalMessage`, `kind`,
 * `constraint`, `table`. Undefined unless Prisma wraps an adapter's error.
 */
export function driverErrorOf(error: unknown): unknown {
  return memberOf(adapterErrorOf(error), 'cause');
}

/** Returns the same as {@link driverErrorOf}, also for an adapter's error that Prisma does not wrap. */
export function anyDriverErrorOf(error: unknown): unknown {
  return memberOf(adapterErrorOf(error) ?? error, 'cause');
}
