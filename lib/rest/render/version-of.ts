import type { Resource } from '../../model/surface/surface.js';
import type { Row } from '../projection/row.js';

/** The version of a row, as it stands in tags; undefined where rows of that resource have none, or the answer shows nothing of them. */
export function versionOf(row: Row | undefined, { version }: Pick<Resource, 'version'>): { readonly version: string } | undefined {
  const value = version && row?.[version.field];
  return typeof value === 'number' || typeof value === 'bigint' ? { version: String(value) } : undefined;
}
