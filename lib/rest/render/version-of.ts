import type { Resource } from '../../model/surface/surface.js';
import { rowHash } from '../../wire/row-hash.js';
import type { Row } from '../projection/row.js';

/** The version of a row, as it stands in tags; undefined where rows of that resource have none, or the answer shows nothing of them. */
export function versionOf(row: Row | undefined, { version }: Pick<Resource, 'version'>): { readonly version: string } | undefined {
  if (!version || !row) return undefined;
  if (version.hashed) {
    const hash = rowHash(row, version.hashed);
    return hash === undefined ? undefined : { version: hash };
  }
  const value = row[version.field];
  return typeof value === 'number' || typeof value === 'bigint' ? { version: String(value) } : undefined;
}
