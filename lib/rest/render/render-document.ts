import type { ResourceQuery } from '../parse/resource-query.js';
import type { RestContext } from '../parse/rest-context.js';
import type { Row, RowPage } from '../projection/row.js';
import type { Document, DocumentLinks, DocumentMeta, PageLinks, PrimaryData } from './document.js';
import type { DocumentParts } from './document-parts.js';
import { DocumentWriter, withCursor } from './document-writer.js';
import { measurePage } from './measure-page.js';
import { countMeta, cursorMeta } from './page-meta.js';
import { extentOf, renderCursorLinks } from './render-cursor-links.js';
import { queryUrl, renderPageLinks, type RequestUrl } from './render-page-links.js';
import { writeDocument } from './write-document.js';
import { collectionUrl, resourceUrl, rowUrl, targetRelationshipUrls } from './resource-urls.js';

/** A document that is made on demand: as a value, or directly as JSON text. */
export interface RenderedDocument {
  readonly toJson: () => Document;
  /** The text as bytes; undefined if there are more than the given number. Absent if the text can only be made from the value. */
  readonly toBytes?: (most: number) => Uint8Array | undefined;
}

/**
 * Renders rows as a JSON:API document, in one walk over them.
 *
 * Each row holds what `select` asks for by the query's projection. At the URL of a relationship the primary data are identifiers, elsewhere
 * resource objects. After a write, the query is that of its URL.
 *
 * @throws ApiError `limit-exceeded` for more rows than `limits.maxTake`: nothing is cut silently
 */
export function renderDocument(asked: ResourceQuery, page: RowPage, context: RestContext): RenderedDocument {
  const query = page.areKeys ? { ...asked, projection: context.projections.keyOf(asked.resource) } : asked;
  const pages = pagesOf(query, page, context);
  const { rows = page.rows, meta, cursorOf } = pages ?? {};
  const parts = { query, rows, page: meta, cursorOf, links: renderLinks(query, { ...page, rows, pages }, context) };
  const { projection } = query;
  const isMixed = projection.kind === 'resource' && projection.isMixed;
  return {
    toJson: () => renderValue(parts, context),
    ...(!isMixed && { toBytes: (most: number) => writeDocument(parts, context.settings, most) }),
  };
}

function renderValue({ query, rows, links, page, cursorOf }: DocumentParts, context: RestContext): Document {
  const writer = new DocumentWriter(context);
  const data = writeData(query, rows, { writer, cursorOf });
  const meta = renderMeta(page, writer);
  return { jsonapi: { version: '1.1' }, data, ...(query.compound && { included: writer.included }), links, ...(meta && { meta }) };
}

function writeData(
  { kind, target, resource, projection }: ResourceQuery,
  rows: readonly Row[],
  { writer, cursorOf }: Writing,
): PrimaryData {
  if (projection.kind === 'resource' && target.kind !== 'relationship') {
    const resources = writer.writePrimary(rows, projection, {
      pathOf: kind === 'single' ? () => 'data' : (index) => `data.${index}`,
      cursorOf,
    });
    return kind === 'single' ? (resources[0] ?? null) : resources;
  }
  const identifiers = rows.map((row) => {
    const identifier = projection.kind === 'resource' ? writer.include(row, projection) : writer.identify(resource, row);
    return withCursor(identifier, cursorOf?.(row));
  });
  return kind === 'single' ? (identifiers[0] ?? null) : identifiers;
}

interface Writing extends Pick<DocumentParts, 'cursorOf'> {
  readonly writer: DocumentWriter;
}

function renderMeta(page: DocumentParts['page'], writer: DocumentWriter): DocumentMeta | undefined {
  const serialization = writer.serialization();
  if (!page && !serialization) return undefined;
  return { ...page, ...(serialization && { serialization }) };
}

/** What a page of a collection adds to its document. */
interface Pages extends Pick<DocumentParts, 'rows' | 'cursorOf'> {
  readonly meta: DocumentParts['page'];
  readonly links: (at: RequestUrl) => PageLinks;
}

function pagesOf(query: ResourceQuery, found: RowPage, context: RestContext): Pages | undefined {
  if (query.kind === 'single') return undefined;
  const { page, resource } = query;
  if (page.kind === 'cursor') {
    const extent = extentOf(page, found, resource.pagination === 'cursor');
    return { rows: found.rows, meta: cursorMeta(found, extent), cursorOf: extent.cursors.on, links: (at) => renderCursorLinks(extent, at) };
  }
  const extent = measurePage(page, found, context);
  return { rows: extent.rows, meta: countMeta(extent), links: (at) => renderPageLinks(extent, at) };
}

interface Rendered extends Pick<RowPage, 'rows' | 'mediaType'> {
  readonly pages: Pages | undefined;
}

function renderLinks(query: ResourceQuery, { mediaType, ...found }: Rendered, context: RestContext): DocumentLinks {
  const links = linksOf(query, found, context);
  return mediaType === undefined ? links : { ...links, self: { href: links.self, type: mediaType } };
}

function linksOf(
  { target, parameters }: ResourceQuery,
  { rows: [row], pages: found }: Omit<Rendered, 'mediaType'>,
  { settings }: RestContext,
): DocumentLinks & { readonly self: string } {
  const pages = (url: string): PageLinks => found?.links({ url, parameters }) ?? {};
  switch (target.kind) {
    case 'collection': {
      const url = collectionUrl(target.resource, settings);
      return { self: queryUrl({ url, parameters }), ...pages(url) };
    }
    case 'resource': {
      // The id comes from the row: before a create there is none.
      const url = row ? rowUrl(row, target.resource, settings) : resourceUrl(target.resource, '', settings);
      return { self: queryUrl({ url, parameters }) };
    }
    case 'related': {
      const { related: url } = targetRelationshipUrls(target, settings);
      return { self: queryUrl({ url, parameters }), ...pages(url) };
    }
    case 'relationship': {
      const { self: url, related } = targetRelationshipUrls(target, settings);
      return { self: queryUrl({ url, parameters }), related, ...pages(url) };
    }
  }
}
