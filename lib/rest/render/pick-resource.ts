import { ApiError } from '../../errors/api-error.js';
import { cut } from '../../errors/quote.js';
import type { RelationshipTarget, ResourceTarget } from '../parse/parse-target.js';
import type { Row } from '../projection/row.js';

/**
 * The row of the resource that a URL names.
 *
 * @throws ApiError `not-found` when there is none, or none that the caller may see (decision D20)
 */
export function pickResource(row: unknown, { resource, id }: ResourceTarget | RelationshipTarget): Row {
  if (typeof row === 'object' && row !== null) return row as Row;
  throw new ApiError('not-found', `There is no ${resource.type} with id ${cut(id.text)}.`);
}
