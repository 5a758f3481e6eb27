import type { ResourceQuery } from '../parse/resource-query.js';
import type { Row } from '../projection/row.js';
import type { DocumentLinks } from './document.js';

/** What a document is made of. */
export interface DocumentParts {
  readonly query: ResourceQuery;
  /** Of the primary data. */
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly links: DocumentLinks;
}
