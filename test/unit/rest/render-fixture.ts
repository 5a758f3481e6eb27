import { expect } from '@jest/globals';
import type { ResourceQuery } from '../../../lib/rest/parse/resource-query.js';
import type { RestContext } from '../../../lib/rest/parse/rest-context.js';
import type { PlanContext } from '../../../lib/rest/plan/plan-context.js';
import type { Document } from '../../../lib/rest/render/document.js';
import { renderDocument } from '../../../lib/rest/render/render-document.js';
import type { Row } from '../../../lib/query/result.js';
import type { RowPage } from '../../../lib/rest/projection/page.js';
import { collectionQuery, readContext, resourceQuery } from './read-fixture.js';

const context = readContext();

interface PageOf {
  readonly rows: readonly Row[];
  readonly total?: number;
  readonly of?: PlanContext;
}

/** The answer to `GET /:type?search` with these rows. */
export function renderPage(model: string, search: string, { rows, total, of = context }: PageOf): Document {
  return renderChecked(collectionQuery(of, model, search), { rows, total }, of);
}

/** The value of a document, whose bytes are those of the value's JSON text. */
export function renderChecked(query: ResourceQuery, page: RowPage, of: RestContext): Document {
  const { toJson, toBytes } = renderDocument(query, page, of);
  const document = toJson();
  const bytes = toBytes?.(Infinity);
  if (bytes) expect(Buffer.from(bytes).toString()).toBe(JSON.stringify(document));
  return document;
}

interface OneOf {
  readonly row: Row & { readonly id: number };
  readonly of?: PlanContext;
}

/** The answer to `GET /:type/:id?search` with this row. */
export function renderOne(type: string, search: string, { row, of = context }: OneOf): Document {
  return renderChecked(resourceQuery(of, [type, String(row.id)], search), { rows: [row] }, of);
}
