import type { DatabaseProvider } from '../schema/resource-schema.js';
import type { Attribute, ResourceDatabase } from './surface.js';

/** Databases for which Prisma has no argument for case-insensitive comparison. The collation of the column decides there. */
export const WITHOUT_CASE_FOLDING: ReadonlySet<DatabaseProvider> = new Set(['sqlite', 'mysql', 'sqlserver']);

/** Databases for which Prisma has no full-text search. */
export const WITHOUT_SEARCH: ReadonlySet<DatabaseProvider> = new Set(['sqlite', 'sqlserver', 'cockroachdb', 'mongodb']);

/** Databases whose `LIKE` has no default escape character. Because Prisma adds no `ESCAPE`, `%` and `_` are always wildcards. */
export const WITHOUT_LITERAL_WILDCARDS: ReadonlySet<DatabaseProvider> = new Set(['sqlite']);

/** Whether a filter can compare a list as a whole (`equals`). For `Bytes[]`, Prisma sends the elements as base64, which equals no stored element. */
export function comparesWholeLists({ type }: Pick<Attribute, 'type'>, { orm }: Pick<ResourceDatabase, 'orm'>): boolean {
  return type !== 'Bytes' || orm !== 'prisma';
}
