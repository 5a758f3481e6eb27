import type { ResourceQuery } from '../parse/resource-query.js';
import type { RestContext } from '../parse/rest-context.js';
import type { Row, RowPage } from '../projection/row.js';
import type { Document, DocumentLinks, DocumentMeta, PrimaryData } from './document.js';
import type { DocumentParts } from './document-parts.js';
import { DocumentWriter } from './document-writer.js';
import { measurePage, type PageExtent } from './measure-page.js';
import { queryUrl, renderPageLinks } from './render-page-links.js';
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
export function renderDocument(query: ResourceQuery, page: RowPage, context: RestContext): RenderedDocument {
  const extent = query.kind === 'collection' ? measurePage(query.page, page, context) : undefined;
  const rows = extent?.rows ?? page.rows;
  const parts = { query, rows, total: extent?.total, links: renderLinks(query, { rows, extent }, context) };
  const { projection } = query;
  const isMixed = projection.kind === 'resource' && projection.isMixed;
  return {
    toJson: () => renderValue(parts, context),
    ...(!isMixed && { toBytes: (most: number) => writeDocument(parts, context.settings, most) }),
  };
}

function renderValue({ query, rows, total, links }: DocumentParts, context: RestContext): Document {
  const writer = new DocumentWriter(context);
  const data = writeData(query, rows, writer);
  const meta = renderMeta(total, writer);
  return { jsonapi: { version: '1.1' }, data, ...(query.compound && { included: writer.included }), links, ...(meta && { meta }) };
}

function writeData({ kind, target, resource, projection }: ResourceQuery, rows: readonly Row[], writer: DocumentWriter): PrimaryData {
  if (projection.kind === 'resource' && target.kind !== 'relationship') {
    const resources = writer.writePrimary(rows, projection, kind === 'single' ? () => 'data' : (index) => `data.${index}`);
    return kind === 'single' ? (resources[0] ?? null) : resources;
  }
  const identifiers = rows.map((row) =>
    projection.kind === 'resource' ? writer.include(row, projection) : writer.identify(resource, row),
  );
  return kind === 'single' ? (identifiers[0] ?? null) : identifiers;
}

function renderMeta(total: number | undefined, writer: DocumentWriter): DocumentMeta | undefined {
  const serialization = writer.serialization();
  if (total === undefined && !serialization) return undefined;
  return { ...(total !== undefined && { total }), ...(serialization && { serialization }) };
}

interface Rendered {
  readonly rows: readonly Row[];
  readonly extent: PageExtent | undefined;
}

function renderLinks({ target, parameters }: ResourceQuery, { rows: [row], extent }: Rendered, { settings }: RestContext): DocumentLinks {
  const pages = (url: string): Partial<DocumentLinks> => (extent ? renderPageLinks(extent, { url, parameters }) : {});
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
