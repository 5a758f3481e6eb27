import type { DatabaseProvider } from '../model/schema/resource-schema.js';

/**
 * Whether a text is a JSONPath of the database, for those that take one. A text that is none fails the statement, on SQLite and MySQL only once a
 * row is looked at: the error would tell of rows that the caller may not read.
 */
export function isJsonPath(text: string, provider: DatabaseProvider): boolean {
  return (provider === 'sqlite' ? SQLITE : MYSQL).test(text);
}

const SQLITE = /^\$(?:\.(?:"[^"\0]*"|[^."[\0][^.[\0]*)|\[(?:\d{1,9}|#(?:-\d{1,9})?)\])*$/;

const INDEX = String.raw`(?:\d{1,9}|last(?:\s*-\s*\d{1,9})?)`;
const MYSQL = new RegExp(
  String.raw`^\$(?:(?:\*\*)?(?:\.(?:\*|"(?:[^"\\\p{Cc}]|\\["\\/bfnrt])*"|[\p{L}_$][\p{L}\p{N}_$]*)|\[\s*(?:\*|${INDEX}(?:\s+to\s+${INDEX})?)\s*\]))*$`,
  'u',
);
