import { causesOf } from './causes-of.js';
import { sqlStateOf } from './data-layer-error.js';
import { isError } from './is-error.js';
import { memberOf } from './member-of.js';
import { isSqlState } from './sql-state.js';

/** Returns the code of the database in an error or its causes: an SQLSTATE, or that of MariaDB or SQLite. Undefined if there is none. */
export function databaseCodeOf(thrown: unknown): string | undefined {
  return causesOf(thrown)
    .map((error) => {
      const code = memberOf(error, 'code');
      return (isError(error) ? sqlStateOf(error) : undefined) ?? (isSqlState(code) ? code : undefined);
    })
    .find((code) => code !== undefined);
}
