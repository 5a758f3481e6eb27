import { ApiError } from '../../errors/api-error.js';
import type { Row } from '../../query/result.js';
import type { ResourceQuery } from '../parse/resource-query.js';
import type { RestContext } from '../parse/rest-context.js';
import type { RowPage } from '../projection/page.js';
import type { DocumentLinks, PageLinks } from './document.js';
import { queryUrl, type RenderedPage, renderPage } from './render-page.js';
import { collectionUrl, rowUrl, targetRelationshipUrls } from './resource-urls.js';
import { type DocumentParts, writeDocument } from './write-document.js';

/**
 * Renders rows as a JSON:API document. The returned function walks over them once.
 *
 * Each row must hold the selection of the query's projection. At the URL of a relationship the primary data are identifiers, elsewhere they
 * are resource objects. After a write, the query is the one of the write's URL.
 *
 * @throws ApiError `limit-exceeded` for more rows than `limits.maxTake`. Rows are never dropped silently
 */
export function renderDocument(
  requested: ResourceQuery,
  found: RowPage,
  context: RestContext,
): (maxBytes: number) => Uint8Array | undefined {
  const query = found.areKeys ? { ...requested, projection: context.projections.keyOf(requested.resource) } : requested;
  const page = pageOf(query, found, context);
  const rows = page?.rows ?? found.rows;
  const links = renderLinks(query, rows[0], page, context);
  const { mediaType } = found;
  const parts: DocumentParts = {
    query,
    rows,
    meta: page?.meta,
    cursorOf: page?.cursorOf,
    links: mediaType === undefined ? links : { ...links, self: { href: links.self, type: mediaType } },
  };
  return (maxBytes) => writeDocument(parts, context.settings, maxBytes);
}

function pageOf(query: ResourceQuery, found: RowPage, { settings, limits }: RestContext): RenderedPage | undefined {
  if (query.kind === 'single') return undefined;
  const { page, resource } = query;
  if (page.kind === 'cursor' || page.limit !== Infinity) return renderPage(page, found, resource.pagination === 'cursor');
  const { rows, total = settings.count === 'none' ? undefined : rows.length } = found;
  if (rows.length <= limits.maxTake) return renderPage(page, { rows, total }, false);
  throw new ApiError('limit-exceeded', `An answer holds at most ${limits.maxTake} resources (limits.maxTake).`);
}

/**
 * Returns the links of a document.
 *
 * @param row the first row
 */
function renderLinks(
  { target, parameters }: ResourceQuery,
  row: Row | undefined,
  page: RenderedPage | undefined,
  { settings }: RestContext,
): DocumentLinks & { readonly self: string } {
  const selfAt = (url: string): string => queryUrl({ url, parameters });
  const pagesAt = (url: string): PageLinks => page?.links({ url, parameters }) ?? {};
  switch (target.kind) {
    case 'collection': {
      const url = collectionUrl(target.resource, settings);
      return { self: selfAt(url), ...pagesAt(url) };
    }
    case 'resource':
      // The id comes from the row, because the path of a create has none.
      return { self: selfAt(row ? rowUrl(row, target.resource, settings) : `${collectionUrl(target.resource, settings)}/`) };
    case 'related': {
      const { related: url } = targetRelationshipUrls(target, settings);
      return { self: selfAt(url), ...pagesAt(url) };
    }
    case 'relationship': {
      const { self: url, related } = targetRelationshipUrls(target, settings);
      return { self: selfAt(url), related, ...pagesAt(url) };
    }
  }
}
