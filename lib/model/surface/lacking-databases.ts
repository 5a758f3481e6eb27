import type { DatabaseProvider } from '../schema/resource-schema.js';
import type { Attribute, ResourceDatabase } from './surface.js';

/** Whose texts Prisma cannot compare regardless of case by an argument: there the collation decides. */
export const WITHOUT_CASE_FOLDING: ReadonlySet<DatabaseProvider> = new Set(['sqlite', 'mysql', 'sqlserver']);

/** Where Prisma has no full-text search. */
export const WITHOUT_SEARCH: ReadonlySet<DatabaseProvider> = new Set(['sqlite', 'sqlserver', 'cockroachdb', 'mongodb']);

/** Where a `LIKE` has no escape character, and Prisma gives it none: `%` and `_` are always wildcards. */
export const WITHOUT_LITERAL_WILDCARDS: ReadonlySet<DatabaseProvider> = new Set(['sqlite']);

/** Whether a list is compared with values as a whole. Prisma sends the values for `Bytes[]` as base64, which no element equals. */
export function comparesWholeLists({ type }: Pick<Attribute, 'type'>, { orm }: Pick<ResourceDatabase, 'orm'>): boolean {
  return type !== 'Bytes' || orm !== 'prisma';
}
