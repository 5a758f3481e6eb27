import { type DatabaseProvider } from '../../model/resource-schema.js';

/**
 * Makes the wildcards of a text literal: Prisma hands it to `LIKE` as it is, so that `50%` would find `500`.
 *
 * SQLite has no escape without a clause that Prisma does not write: there `%` and `_` stay wildcards. MongoDB has none.
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
