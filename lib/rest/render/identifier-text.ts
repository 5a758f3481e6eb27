import type { Resource } from '../../model/surface/surface.js';
import { formatId } from '../../model/values/resource-id.js';
import { jsonString } from '../../wire/json-text.js';
import type { Row } from '../projection/row.js';
import type { RestSettings } from '../rest-settings.js';

/** The id of a row, of its own type but in strict mode. */
export function idOf(
  row: Row,
  { identifier }: Resource,
  { idDivider, strict }: Pick<RestSettings, 'idDivider' | 'strict'>,
): string | number {
  const id = formatId(identifier, row, idDivider);
  return strict ? String(id) : id;
}

/** An id as JSON text. */
export function idText(id: string | number): string {
  if (typeof id === 'string') return jsonString(id);
  return Number.isFinite(id) ? String(id) : 'null';
}

/**
 * The identifier of a row as JSON text, to which members may be added before it is closed.
 *
 * @param open what stands before the id
 */
export function openIdentifier(row: Row, resource: Resource, open: string, settings: RestSettings): string {
  return open + idText(idOf(row, resource, settings));
}

/** The identifier of a row as JSON text. */
export function identifierText(row: Row, resource: Resource, open: string, settings: RestSettings): string {
  return `${openIdentifier(row, resource, open, settings)}}`;
}
