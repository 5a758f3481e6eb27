import type { Resource } from '../../model/surface/surface.js';
import { pageKeyOf } from './page-keys.js';
import { parseCursorPage } from './parse-cursor-page.js';
import { parseOffsetPage } from './parse-offset-page.js';
import type { FamilyParameter } from './parse-parameters.js';
import type { Page } from '../projection/page.js';
import type { RestContext } from './rest-context.js';

/**
 * Reads the parameters of `page`. Cursors and `page[size]` ask for a page of the Cursor Pagination profile, and so does nothing at all where the
 * resource has cursor pages; `page[number]`, `page[offset]` and `page[limit]` for one by its place (CP-15).
 *
 * @throws ApiError `invalid-page`, `limit-exceeded`
 */
export function parsePage(parameters: readonly FamilyParameter[], { pagination }: Resource, context: RestContext): Page {
  const keys = new Set(parameters.map(pageKeyOf));
  const hasCursor = keys.has('after') || keys.has('before');
  const hasPlace = keys.has('offset') || keys.has('limit') || keys.has('number');
  const asksForCursors = hasCursor || (!hasPlace && (keys.has('size') || pagination === 'cursor'));
  return asksForCursors ? parseCursorPage(parameters, context) : parseOffsetPage(parameters, context);
}
