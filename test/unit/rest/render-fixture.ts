import { expect } from '@jest/globals';
import type { ResourceQuery } from '../../../lib/rest/parse/resource-query.js';
import type { RestContext } from '../../../lib/rest/parse/rest-context.js';
import type { PlanContext } from '../../../lib/rest/plan/plan-context.js';
import { renderDocument } from '../../../lib/rest/render/render-document.js';
import type { Row } from '../../../lib/query/result.js';
import type { RowPage } from '../../../lib/rest/projection/page.js';
import { collectionQuery, readContext, resourceQuery } from './read-fixture.js';
import { type Document, referenceDocument } from './reference-writer.js';

const context = readContext();

interface PageOf {
  readonly rows: readonly Row[];
  readonly total?: number;
  readonly of?: PlanContext;
}

/** Returns the response to `GET /:type?search` with these rows. */
export function renderPage(model: string, search: string, { rows, total, of = context }: PageOf): Document {
  return renderChecked(collectionQuery(of, model, search), { rows, total }, of);
}

/** A document as it is written, whose data are those of the reference. */
export function renderChecked(query: ResourceQuery, page: RowPage, of: RestContext): Document {
  const text = Buffer.from(renderDocument(query, page, of)(Infinity) ?? '').toString();
  const document = JSON.parse(text) as Document;
  expect(JSON.stringify(document)).toBe(text);
  const { limit = Infinity } = query.kind === 'collection' && query.page.kind !== 'cursor' ? query.page : {};
  const { data, included, meta } = referenceDocument(query, { ...page, rows: page.rows.slice(0, limit) }, of);
  const isMixed = query.projection.kind === 'resource' && query.projection.isMixed;
  // The members of a resource object that several projections fill have no particular order.
  const comparable = (value: unknown): unknown => (isMixed ? JSON.parse(JSON.stringify(value)) : JSON.stringify(value));
  expect(comparable([document.data, document.included, document.meta?.serialization])).toEqual(
    comparable([data, included, meta?.serialization]),
  );
  return document;
}

interface OneOf {
  readonly row: Row & { readonly id: number };
  readonly of?: PlanContext;
}

/** Returns the response to `GET /:type/:id?search` with this row. */
export function renderOne(type: string, search: string, { row, of = context }: OneOf): Document {
  return renderChecked(resourceQuery(of, [type, String(row.id)], search), { rows: [row] }, of);
}
