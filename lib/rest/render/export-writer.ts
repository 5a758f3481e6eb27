import type { Row } from '../projection/row.js';

/** Writes the text of an export, row by row. */
export interface ExportWriter {
  /** What comes before all rows. */
  readonly head: string;
  /** @param cursorOf gives the cursor that falls on the row: an export that begins after it goes on where this one ends */
  row(row: Row, cursorOf: (row: Row) => string): string;
  /** What says that all rows are there. */
  end(count: number): string;
  /** What says that not all rows are there, by the document of the error; absent where the form has no words for it. */
  readonly lastWords?: (document: unknown) => string;
}
