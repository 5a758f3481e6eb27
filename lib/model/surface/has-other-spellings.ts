import type { Attribute, ResourceDatabase } from './surface.js';

/**
 * Whether the database may take texts of a field for the same that differ in letter case, accents or trailing spaces: `citext` on PostgreSQL,
 * and the default collations of MySQL, MariaDB and SQL Server.
 */
export function hasOtherSpellings({ type, list, nativeType }: Attribute, { provider }: ResourceDatabase): boolean {
  if (type !== 'String' || list) return false;
  return provider === 'mysql' || provider === 'sqlserver' || nativeType?.[0] === 'Citext';
}
