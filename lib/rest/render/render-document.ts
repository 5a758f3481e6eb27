import { ApiError } from '../../errors/api-error.js';
import type { Row } from '../../query/result.js';
import { ATOMIC_EXTENSION } from '../protocol/media-type.js';
import type { Serialization, Annotation } from '../../wire/serialization.js';
import type { ResourceQuery, SingleQuery } from '../parse/resource-query.js';
import type { RestContext } from '../parse/rest-context.js';
import type { RowPage } from '../projection/page.js';
import { DocumentWriter, withCursor } from './document-writer.js';
import type { Document, DocumentLinks, PageLinks, PrimaryData, ResourceObject } from './document.js';
import { queryUrl, type RenderedPage, renderPage } from './render-page.js';
import { collectionUrl, rowUrl, targetRelationshipUrls } from './resource-urls.js';
import { type DocumentParts, writeDocument } from './write-document.js';

/** A document that is rendered lazily: as a value, or directly as JSON text. */
interface RenderedDocument {
  readonly toJson: () => Document;
  /** Returns the text as bytes; undefined if they exceed the given number. Absent if only the value can be rendered. */
  readonly toBytes?: (maxBytes: number) => Uint8Array | undefined;
}

/**
 * Renders rows as a JSON:API document, in one walk over them.
 *
 * Each row must hold the selection of the query's projection. At the URL of a relationship the primary data are identifiers, elsewhere they
 * are resource objects. After a write, the query is the one of the write's URL.
 *
 * @throws ApiError `limit-exceeded` for more rows than `limits.maxTake`. Rows are never dropped silently
 */
export function renderDocument(requested: ResourceQuery, found: RowPage, context: RestContext): RenderedDocument {
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
  const { projection } = query;
  const isMixed = projection.kind === 'resource' && projection.isMixed;
  return {
    toJson: () => renderValue(parts, context),
    ...(!isMixed && { toBytes: (maxBytes: number) => writeDocument(parts, context.settings, maxBytes) }),
  };
}

function pageOf(query: ResourceQuery, found: RowPage, { settings, limits }: RestContext): RenderedPage | undefined {
  if (query.kind === 'single') return undefined;
  const { page, resource } = query;
  if (page.kind === 'cursor' || page.limit !== Infinity) return renderPage(page, found, resource.pagination === 'cursor');
  const { rows, total = settings.count === 'none' ? undefined : rows.length } = found;
  if (rows.length <= limits.maxTake) return renderPage(page, { rows, total }, false);
  throw new ApiError('limit-exceeded', `An answer holds at most ${limits.maxTake} resources (limits.maxTake).`);
}

function renderValue(parts: DocumentParts, context: RestContext): Document {
  const { query, links, meta: page } = parts;
  const writer = new DocumentWriter(context);
  const data = writeData(parts, writer);
  const serialization = writer.serialization();
  const meta = (page ?? serialization) && { ...page, ...(serialization && { serialization }) };
  return { jsonapi: { version: '1.1' }, data, ...(query.compound && { included: writer.included }), links, ...(meta && { meta }) };
}

function writeData({ query, rows, cursorOf }: DocumentParts, writer: DocumentWriter): PrimaryData {
  const { kind, target, resource, projection } = query;
  if (projection.kind === 'resource' && target.kind !== 'relationship') {
    const pathOf = (index: number): string => (kind === 'single' ? 'data' : `data.${index}`);
    const resources = writer.writePrimary(rows, projection, pathOf, cursorOf);
    return kind === 'single' ? (resources[0] ?? null) : resources;
  }
  const identifiers = rows.map((row) => {
    const identifier = projection.kind === 'resource' ? writer.include(row, projection) : writer.identify(resource, row);
    return withCursor(identifier, cursorOf?.(row));
  });
  return kind === 'single' ? (identifiers[0] ?? null) : identifiers;
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

/** The row that an operation has written, and the query that shapes its result. Without a query, the result is empty. */
export interface OperationResult {
  readonly query?: SingleQuery | undefined;
  readonly row: Row;
}

/** The document of operations that succeeded: one result for each, in their order (AO-08). */
interface OperationsDocument {
  readonly 'jsonapi': { readonly version: '1.1'; readonly ext: readonly [typeof ATOMIC_EXTENSION] };
  readonly 'atomic:results': readonly { readonly data?: ResourceObject }[];
  readonly 'meta'?: { readonly serialization: Serialization };
}

/** Renders the results of operations. Each has its resource in the state right after its operation (AO-34). */
export function renderOperations(results: readonly OperationResult[], context: RestContext): OperationsDocument {
  const values: Record<string, Annotation> = {};
  const rendered = results.map(({ query, row }, index) => {
    if (query?.projection.kind !== 'resource') return {};
    const writer = new DocumentWriter(context);
    const [data] = writer.writePrimary([row], query.projection, () => `atomic:results.${index}.data`);
    Object.assign(values, writer.serialization()?.values);
    return data ? { data } : {};
  });
  return {
    'jsonapi': { version: '1.1', ext: [ATOMIC_EXTENSION] },
    'atomic:results': rendered,
    ...(Object.keys(values).length > 0 && { meta: { serialization: { values } } }),
  };
}
