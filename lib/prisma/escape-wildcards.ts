import type { DatabaseProvider } from '../model/schema/resource-schema.js';

/**
 * Makes the wildcards of a text literal: Prisma hands it to `LIKE` as it is, so that `50%` would find `500`.
 *
 * SQLite has no escape without a clause that Prisma does not write: the parser refuses such a text there. MongoDB has no wildcards.
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
