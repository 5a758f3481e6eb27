import type { Resource, ResourceDatabase } from '../../model/surface/surface.js';
import type { DatabaseProvider } from '../../model/schema/resource-schema.js';
import type { ArgumentPath } from './argument-path.js';
import { readBoolean } from '../../prisma/typed-slots.js';

/** Plans `skipDuplicates`. @throws ApiError if the database lacks it */
export function planSkipDuplicates({ database }: Resource, value: unknown, path: ArgumentPath): boolean {
  if (lacksSkipping(database)) path.refuse(`is an argument that the database (${database.provider}) does not have.`);
  return readBoolean(value, path);
}

/** Whether `skipDuplicates` is not available. ZenStack supports it on each of its databases, SQLite included. */
function lacksSkipping({ provider, orm }: ResourceDatabase): boolean {
  return orm === 'prisma' && WITHOUT_SKIPPING.has(provider);
}

const WITHOUT_SKIPPING: ReadonlySet<DatabaseProvider> = new Set(['sqlite', 'sqlserver', 'mongodb']);
