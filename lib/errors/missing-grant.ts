import { databaseMessages } from './database-messages.js';

/**
 * Returns PostgreSQL's message if a role lacks a `GRANT` (`permission denied for table Tag`); undefined otherwise. A policy that refuses a row has
 * the same SQLSTATE 42501, but a missing grant is a configuration error.
 */
export function missingGrant(error: unknown): string | undefined {
  return databaseMessages(error).find((message) =>
    /^permission denied for (?:table|view|sequence|schema|function|column|relation) /.test(message),
  );
}
