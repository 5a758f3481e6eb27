import type { DatabaseProvider } from '../schema/resource-schema.js';
import type { Storage } from './storage.js';

/**
 * Whether a statement of the database returns the rows that it has written. Where it does not, Prisma's `update` and `delete` look a row up, and then
 * write it by its key alone: a condition beside the key is asked by the look-up only.
 */
export function returnsRows({ provider }: Pick<Storage, 'provider'>): boolean {
  return RETURNING.has(provider);
}

const RETURNING: ReadonlySet<DatabaseProvider> = new Set<DatabaseProvider>(['postgresql', 'cockroachdb', 'sqlite']);
