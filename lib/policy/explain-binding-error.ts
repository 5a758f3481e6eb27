import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';

/** SQLSTATE codes that blame the statement itself: no such role, not a member of it, no such parameter, or one that cannot be changed. */
const MISCONFIGURED: ReadonlySet<unknown> = new Set(['22023', '42501', '42602', '42704', '55P02']);

/**
 * What to throw when the binding statement failed. A role that may not be assumed is PostgreSQL's `42501` too, as is a refusal by policy:
 * it must not reach a caller as "forbidden". Anything else (a lost connection, a pool exhausted) is the data layer's to report.
 */
export function explainBindingError(error: unknown): unknown {
  if (!MISCONFIGURED.has(sqlStateOf(error))) return error;
  return new ConfigurationError(
    'PostgreSQL refused the role or a setting of withRowLevelSecurity.',
    'Create the role, grant it to the role that the application connects as, and name settings like app.user_id.',
    { cause: error },
  );
}

/** Prisma: `meta.driverAdapterError.cause.originalCode`. */
function sqlStateOf(error: unknown): unknown {
  return ['meta', 'driverAdapterError', 'cause', 'originalCode'].reduce(memberOf, error);
}
