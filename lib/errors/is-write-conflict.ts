import { sqlStateOf } from './data-layer-error.js';
import { isError } from './is-error.js';
import { memberOf } from './member-of.js';
import { originalErrorOf } from './to-api-error.js';

/**
 * Whether a transaction failed by a conflict with a concurrent one: a deadlock or a
 * serialization failure. Nothing is stored, and a retry may succeed.
 */
export function isWriteConflict(error: unknown): boolean {
  const first = originalErrorOf(error);
  const code = memberOf(first, 'code');
  return CONFLICTS.has(code) || (isError(first) && CONFLICTS.has(sqlStateOf(first)));
}

/** Prisma's code, and PostgreSQL's `serialization_failure` and `deadlock_detected`. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['P2034', '40001', '40P01']);
