import type { DatabaseProvider } from '../model/schema/resource-schema.js';

/**
 * Escapes the wildcards of a text. Prisma passes the text to `LIKE` unchanged, so that `50%` would match `500`.
 *
 * On SQLite, `LIKE` has no escape character without an `ESCAPE` clause, which Prisma does not write, so the parser rejects such a text. MongoDB has
 * no wildcards.
 */
export function escapeWildcards(text: string, provider: DatabaseProvider): string {
  switch (provider) {
    case 'postgresql':
    case 'cockroachdb':
    case 'mysql':
      return text.replace(/[\\%_]/g, '\\$&');
    case 'sqlserver':
      return text.replace(/[[%_]/g, '[$&]');
    case 'sqlite':
    case 'mongodb':
      return text;
  }
}
