import type { ResourceQuery } from '../parse/resource-query.js';
import type { Row } from '../projection/row.js';
import type { DocumentLinks } from './document.js';
import type { PagedMeta } from './page-meta.js';

/** What a document is made of. */
export interface DocumentParts {
  readonly query: ResourceQuery;
  /** Of the primary data. */
  readonly rows: readonly Row[];
  /** What is said of the collection: absent where nothing is. */
  readonly page?: PagedMeta | undefined;
  /** Of a page between cursors: the one that falls on a row. */
  readonly cursorOf?: ((row: Row) => string) | undefined;
  readonly links: DocumentLinks;
}
