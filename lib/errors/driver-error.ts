import { memberOf } from './member-of.js';

/** The error of a driver adapter that Prisma passes on with a code of its own (`meta.driverAdapterError`); undefined where there is none. */
export function adapterErrorOf(error: unknown): unknown {
  return memberOf(memberOf(error, 'meta'), 'driverAdapterError');
}

/** What the driver has said: `originalCode`, `originalMessage`, `kind`, `constraint`, `table`; undefined where Prisma passes on no error of an adapter. */
export function driverErrorOf(error: unknown): unknown {
  return memberOf(adapterErrorOf(error), 'cause');
}

/** The same, also of an adapter's error that Prisma passes on as it is. */
export function anyDriverErrorOf(error: unknown): unknown {
  return memberOf(adapterErrorOf(error) ?? error, 'cause');
}
