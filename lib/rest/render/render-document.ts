import { type ResourceQuery } from '../parse/resource-query.js';
import { type RestContext } from '../parse/rest-context.js';
import { type Document, type DocumentLinks, type DocumentMeta, type PrimaryData } from './document.js';
import { DocumentWriter } from './document-writer.js';
import { measurePage, type PageExtent } from './measure-page.js';
import { queryUrl, renderPageLinks } from './render-page-links.js';
import { collectionUrl, resourceUrl, targetRelationshipUrls } from './resource-urls.js';
import { type Row, type RowPage } from './row.js';

/**
 * Renders rows as a JSON:API document, in one walk over them.
 *
 * Each row holds what `planSelect` asks for by the query's shape. At the URL of a relationship the primary data are identifiers, elsewhere
 * resource objects. After a write the query is the one that its URL was parsed to.
 *
 * @throws ApiError `limit-exceeded` for more rows than `limits.maxTake`: nothing is cut silently
 */
export function renderDocument(query: ResourceQuery, page: RowPage, context: RestContext): Document {
  const writer = new DocumentWriter(context);
  const extent = query.kind === 'collection' ? measurePage(query.page, page, context) : undefined;
  const data = writeData(query, extent?.rows ?? page.rows, writer);
  const meta = renderMeta(extent, writer);
  return {
    jsonapi: { version: '1.1' },
    data,
    ...(query.compound && { included: writer.included }),
    links: renderLinks(query, { data, extent }, context),
    ...(meta && { meta }),
  };
}

function writeData({ kind, target, resource, shape }: ResourceQuery, rows: readonly Row[], writer: DocumentWriter): PrimaryData {
  if (shape.kind === 'resource' && target.kind !== 'relationship') {
    const resources = writer.writePrimary(rows, shape, kind === 'single' ? () => 'data' : (index) => `data.${index}`);
    return kind === 'single' ? (resources[0] ?? null) : resources;
  }
  const identifiers = rows.map((row) => (shape.kind === 'resource' ? writer.include(row, shape) : writer.identify(resource, row)));
  return kind === 'single' ? (identifiers[0] ?? null) : identifiers;
}

function renderMeta(extent: PageExtent | undefined, writer: DocumentWriter): DocumentMeta | undefined {
  const serialization = writer.serialization();
  if (extent?.total === undefined && !serialization) return undefined;
  return { ...(extent?.total !== undefined && { total: extent.total }), ...(serialization && { serialization }) };
}

interface Rendered {
  readonly data: PrimaryData;
  readonly extent: PageExtent | undefined;
}

function renderLinks({ target, parameters }: ResourceQuery, { data, extent }: Rendered, { settings }: RestContext): DocumentLinks {
  const pages = (url: string): Partial<DocumentLinks> => (extent ? renderPageLinks(extent, { url, parameters }) : {});
  switch (target.kind) {
    case 'collection': {
      const url = collectionUrl(target.resource, settings);
      return { self: queryUrl({ url, parameters }), ...pages(url) };
    }
    case 'resource': {
      // The id of a resource is its row's: before a create there is none.
      const id = data !== null && 'id' in data ? data.id : '';
      return { self: queryUrl({ url: resourceUrl(target.resource, id, settings), parameters }) };
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
