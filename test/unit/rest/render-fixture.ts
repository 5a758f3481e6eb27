import { type RestContext } from '../../../lib/rest/parse/rest-context.js';
import { type Document } from '../../../lib/rest/render/document.js';
import { renderDocument } from '../../../lib/rest/render/render-document.js';
import { type Row } from '../../../lib/rest/render/row.js';
import { collectionQuery, readContext, resourceQuery } from './read-fixture.js';

const context = readContext();

interface PageOf {
  readonly rows: readonly Row[];
  readonly total?: number;
  readonly of?: RestContext;
}

/** The answer to `GET /:type?search` with these rows. */
export function renderPage(model: string, search: string, { rows, total, of = context }: PageOf): Document {
  return renderDocument(collectionQuery(of, model, search), { rows, total }, of);
}

interface OneOf {
  readonly row: Row & { readonly id: number };
  readonly of?: RestContext;
}

/** The answer to `GET /:type/:id?search` with this row. */
export function renderOne(type: string, search: string, { row, of = context }: OneOf): Document {
  return renderDocument(resourceQuery(of, [type, String(row.id)], search), { rows: [row] }, of);
}
