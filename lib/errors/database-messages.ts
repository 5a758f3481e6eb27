import { causesOf } from './causes-of.js';
import { driverErrorOf } from './driver-error.js';
import { memberOf } from './member-of.js';

/**
 * Returns PostgreSQL's message if a role lacks a `GRANT` (`permission denied for table Tag`); undefined otherwise. A policy that refuses a row has
 * the same SQLSTATE 42501, but a missing grant is a configuration error.
 */
export function missingGrant(error: unknown): string | undefined {
  return databaseMessages(error).find((message) =>
    /^permission denied for (?:table|view|sequence|schema|function|column|relation) /.test(message),
  );
}

/**
 * Returns the startup parameter because of which a pooler has refused a connection; undefined for any other error. A member of the parameter
 * `options` is returned by its own name where the pooler names it.
 */
export function refusedParameter(error: unknown): string | undefined {
  for (const message of databaseMessages(error)) {
    const [, name] = PGBOUNCER.exec(message) ?? [];
    if (name !== undefined) return name;
    if (RDS_PROXY.test(message)) return 'options';
  }
  return undefined;
}

/** PgBouncer's message, from version 1.20 on also for the members of `options`. */
const PGBOUNCER = /^unsupported startup parameter(?: in options)?: ([\w.]+)/;

/** The message of Amazon RDS Proxy, which supports no `options`. */
const RDS_PROXY = /^Feature not supported: RDS Proxy currently doesn.t support command-line options/;

/** Returns the text for the log: what the pooler refuses, and what to set instead. */
export function refusedParameterText(parameter: string): string {
  const remedy = parameter === 'options' ? 'set each of its settings' : 'set it';
  const setting = parameter === 'options' ? '<setting>' : parameter;
  return (
    `The connection pooler in front of the database refuses all connections that have the startup parameter ${parameter}, so that requests fail. ` +
    `Remove ${parameter} where the connections are made, and ${remedy} for the role instead: ALTER ROLE … SET ${setting} = '…'. ` +
    `PgBouncer can also ignore it: add ${parameter} to its ignore_startup_parameters.`
  );
}

/** Returns the messages of an error and its causes. Where Prisma wraps an error of the driver, the message is that of the database. */
function databaseMessages(error: unknown): readonly string[] {
  return causesOf(error)
    .map((thrown) => memberOf(driverErrorOf(thrown), 'originalMessage') ?? memberOf(thrown, 'message'))
    .filter((message) => typeof message === 'string');
}
