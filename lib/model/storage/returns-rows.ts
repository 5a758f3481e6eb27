import type { DatabaseProvider } from '../schema/resource-schema.js';
import type { Storage } from './storage.js';

/**
 * Whether the database supports `RETURNING`. Where it does not, Prisma's `update` and `delete` first look the row up, then write it by its
 * key only.
 * Other conditions are then checked by the look-up alone, and not by the write.
 */
export function returnsRows({ provider }: Pick<Storage, 'provider'>): boolean {
  return RETURNING.has(provider);
}

const RETURNING: ReadonlySet<DatabaseProvider> = new Set<DatabaseProvider>(['postgresql', 'cockroachdb', 'sqlite']);
