import { statementTimeoutSql } from '../executor/client/statement-timeout.js';
import { driverErrorOf } from '../errors/driver-error.js';
import { ConfigurationError } from '../errors/configuration-error.js';
import { memberOf } from '../errors/member-of.js';

/** The role and settings that bind a transaction before any other statement runs in it. */
export interface RowLevelSecurityOptions {
  /**
   * The role that policies are written for; the connection's own role must be a member of it. If absent, the connection's own role applies. An
   * invalid role (undefined, `'none'`) is rejected, so that a caller without a role never gets the role of the connection.
   */
  readonly role?: string;
  /**
   * Configuration parameters that policies read with `current_setting`, e.g. `'app.user_id'`. Null and undefined become the empty string, so that a
   * caller without a value never gets a value that the session already has.
   */
  readonly settings?: Readonly<Record<string, SettingValue>>;
}

export type SettingValue = string | number | bigint | boolean | null | undefined;

/** One SQL statement and the values of its placeholders. */
export interface BindingStatement {
  readonly sql: string;
  readonly values: readonly string[];
}

/**
 * Returns the statement that sets the role and the settings for its transaction alone. It calls `set_config(…, true)`, which is `SET LOCAL` with
 * placeholders (PostgreSQL documentation, "System Administration Functions"), so that no value of a user ever becomes SQL.
 *
 * The role is set last, because only the connection's own role may be permitted to set some parameters.
 *
 * @throws ConfigurationError if there is neither a role nor a setting, and for an invalid role
 */
export function bindingStatement(options: RowLevelSecurityOptions): BindingStatement {
  const values = Object.entries(options.settings ?? {}).flatMap(([name, value]) => [name, String(value ?? '')]);
  if ('role' in options) values.push('role', requireRole(options.role));
  if (values.length === 0) {
    throw new ConfigurationError('withRowLevelSecurity got neither a role nor settings.', "Name the caller's, e.g. { role: 'app_user' }.");
  }
  return statementOf(values);
}

/** Adds `statement_timeout`, in milliseconds, to a binding. */
export function withStatementTimeout({ values }: BindingStatement, timeout: number): BindingStatement {
  return statementOf([...values, 'statement_timeout', String(timeout)]);
}

/** Adds a timeout in milliseconds to a binding, unless its settings contain one. A shorter timeout of the connection stays in force. */
export function bindingWithTimeout(binding: BindingStatement, timeout: number | undefined): BindingStatement {
  const { sql, values } = binding;
  return timeout === undefined || hasTimeout(binding) ? binding : { sql: `${sql}, ${statementTimeoutSql(timeout)}`, values };
}

function hasTimeout({ values }: BindingStatement): boolean {
  return values.some((name, index) => index % 2 === 0 && name.toLowerCase() === 'statement_timeout');
}

/** Returns one `SELECT` that sets all parameters. @param values names and values, alternating */
function statementOf(values: readonly string[]): BindingStatement {
  const calls: string[] = [];
  for (let at = 1; at < values.length; at += 2) calls.push(`set_config($${at}, $${at + 1}, true)`);
  return { sql: `SELECT ${calls.join(', ')}`, values };
}

/** Rejects a role that is no name. `SET ROLE NONE`, and `set_config` of null, would reset to the role of the connection. */
function requireRole(role: unknown): string {
  if (typeof role === 'string' && role !== '' && role !== 'none') return role;
  throw new ConfigurationError(
    `withRowLevelSecurity got the role ${String(role)}, which is none.`,
    "Name the caller's role, one for anonymous callers too; leave `role` out where only settings are bound.",
  );
}

/** SQLSTATE codes of an invalid binding: no such role, not a member of it, no such parameter, or a parameter that cannot be changed. */
const MISCONFIGURED: ReadonlySet<unknown> = new Set(['22023', '42501', '42602', '42704', '55P02']);

/**
 * Returns the error to throw when the binding statement has failed. PostgreSQL rejects both a forbidden role and a row that violates a policy with
 * `42501`, but a forbidden role must not be reported as 403. Other errors, such as a lost connection or an exhausted pool, are returned unchanged.
 */
export function explainBindingError(error: unknown): unknown {
  if (!MISCONFIGURED.has(memberOf(driverErrorOf(error), 'originalCode'))) return error;
  return new ConfigurationError(
    'PostgreSQL refused the role or a setting of withRowLevelSecurity.',
    'Create the role, grant it to the role that the application connects as, and name settings like app.user_id.',
    { cause: error },
  );
}
