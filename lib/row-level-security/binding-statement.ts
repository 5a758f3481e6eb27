import { statementTimeoutSql } from '../executor/statement-timeout.js';
import { driverErrorOf } from '../errors/driver-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';

/** What a transaction is bound to before anything else runs in it. */
export interface RowLevelSecurityOptions {
  /**
   * The role that policies are written for; the connection's own role must be a member of it. Absent: the connection's own role stays. One
   * that is given and names no role (undefined, `'none'`) is refused: a caller without a role never gets the role of the connection.
   */
  readonly role?: string;
  /**
   * Configuration parameters that policies read with `current_setting`, e.g. `'app.user_id'`. A value that is null or undefined becomes the
   * empty string: a caller without a value never gets a value that the session already has.
   */
  readonly settings?: Readonly<Record<string, SettingValue>>;
}

export type SettingValue = string | number | bigint | boolean | null | undefined;

/** One statement of SQL and the values of its placeholders. */
export interface BindingStatement {
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * One statement that binds the transaction it runs in, and only that: `set_config(…, true)` is `SET LOCAL` with placeholders (PostgreSQL
 * documentation, "System Administration Functions"), so that no value of a user ever becomes SQL.
 *
 * The role comes last: what only the connection's own role may set is set by then.
 *
 * @throws ConfigurationError when there is nothing to bind to, or a role that names none
 */
export function bindingStatement(options: RowLevelSecurityOptions): BindingStatement {
  const entries = Object.entries(options.settings ?? {}).map(([name, value]) => [name, formatSetting(value)] as const);
  const all = 'role' in options ? [...entries, ['role', requireRole(options.role)] as const] : entries;
  if (all.length === 0) {
    throw new ConfigurationError('withRowLevelSecurity got neither a role nor settings.', "Name the caller's, e.g. { role: 'app_user' }.");
  }
  return statementOf(all.flat());
}

/** The same binding, and a limit that PostgreSQL keeps of what each statement may take, in milliseconds. */
export function withStatementTimeout({ values }: BindingStatement, timeout: number): BindingStatement {
  return statementOf([...values, 'statement_timeout', String(timeout)]);
}

/** The same binding, and PostgreSQL ends what takes longer, in milliseconds; a shorter time that the connection has stays. */
function boundInTime({ sql, values }: BindingStatement, timeout: number): BindingStatement {
  return { sql: `${sql}, ${statementTimeoutSql(timeout)}`, values };
}

/** The binding for statements that may take so many milliseconds, unless the caller's settings say otherwise. */
export function bindingInTime(options: RowLevelSecurityOptions, timeout: number | undefined): BindingStatement {
  const binding = bindingStatement(options);
  return timeout === undefined || hasOwnTimeout(options) ? binding : boundInTime(binding, timeout);
}

function hasOwnTimeout({ settings = {} }: RowLevelSecurityOptions): boolean {
  return Object.keys(settings).some((name) => name.toLowerCase() === 'statement_timeout');
}

/** @param values names and values in turn */
function statementOf(values: readonly string[]): BindingStatement {
  const calls = values.flatMap((_, index) => (index % 2 === 0 ? [`set_config($${index + 1}, $${index + 2}, true)`] : []));
  return { sql: `SELECT ${calls.join(', ')}`, values };
}

/** `SET ROLE NONE`, and `set_config` of null, mean the role that the connection was made with. */
function requireRole(role: unknown): string {
  if (typeof role === 'string' && role !== '' && role !== 'none') return role;
  throw new ConfigurationError(
    `withRowLevelSecurity got the role ${String(role)}, which is none.`,
    "Name the caller's role, one for anonymous callers too; leave `role` out where only settings are bound.",
  );
}

function formatSetting(value: SettingValue): string {
  return value === null || value === undefined ? '' : String(value);
}

/** SQLSTATE codes that blame the statement itself: no such role, not a member of it, no such parameter, or one that cannot be changed. */
const MISCONFIGURED: ReadonlySet<unknown> = new Set(['22023', '42501', '42602', '42704', '55P02']);

/**
 * What to throw when the binding statement failed. A role that may not be assumed is PostgreSQL's `42501` too, as is a refusal by policy:
 * it must not reach a caller as "forbidden". Anything else (a lost connection, a pool exhausted) is the data layer's to report.
 */
export function explainBindingError(error: unknown): unknown {
  if (!MISCONFIGURED.has(memberOf(driverErrorOf(error), 'originalCode'))) return error;
  return new ConfigurationError(
    'PostgreSQL refused the role or a setting of withRowLevelSecurity.',
    'Create the role, grant it to the role that the application connects as, and name settings like app.user_id.',
    { cause: error },
  );
}
