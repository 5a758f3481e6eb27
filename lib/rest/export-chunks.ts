import { ApiError } from '../errors/api-error.js';
import type { Row } from '../query/result.js';
import type { ExportWriter } from './render/export-writer.js';

/** A batch of the rows of an export, in its order. */
export interface ExportBatch {
  readonly rows: readonly Row[];
  /** Returns the cursor of a row. Absent if the batch was read by its offset. */
  readonly cursorOf?: (row: Row) => string;
  /** Whether more rows follow. */
  readonly hasMore: boolean;
}

/** The rows before a batch: their number, and the cursor of the last one if the batch before has cursors. */
export interface ExportedRows {
  readonly count: number;
  readonly after?: string;
}

/** A function that reads at most `size` rows after the rows of `before`. */
type ReadBatch = (size: number, before: ExportedRows) => Promise<ExportBatch>;

/** The number of rows of the first batch. It is small, because the size of the rows in bytes is not yet measured. */
export const FIRST_BATCH = 50;

/** The maximum number of rows of a batch (SE-04). One statement for a thousand rows is a negligible load, and their values fit into memory. */
const MOST_ROWS = 1000;

/** The target length of the text of a batch in characters. A batch of wide rows has fewer rows. */
const BATCH_TEXT = 1_000_000;

/** The maximum factor by which a batch has more rows than the batch before it. */
const GROWTH = 5;

/** The length in characters at which text is sent as a chunk. A chunk is made when the client has taken the chunk before it. */
const CHUNK = 32_768;

/**
 * Returns the text of an export in chunks. A batch is read when the rows of the batch before it are written and taken.
 *
 * @param first rows, which are read before the response begins, so that their errors are error documents
 * @param maxRows `limits.maxExportRows`
 * @throws ApiError `limit-exceeded` after `maxRows` rows
 */
export async function* exportChunks(
  writer: ExportWriter,
  first: ExportBatch,
  read: ReadBatch,
  maxRows: number,
): AsyncGenerator<Uint8Array> {
  const text = new Text(writer.head);
  let count = 0;
  for (let batch: ExportBatch | undefined = first; batch;) {
    const { rows, cursorOf, hasMore }: ExportBatch = batch;
    const before = text.length;
    for (const row of rows) {
      text.append(writer.row(row, cursorOf));
      if (text.isChunk) yield text.take();
    }
    count += rows.length;
    if (hasMore && count >= maxRows) {
      if (!text.isEmpty) yield text.take();
      throw new ApiError('limit-exceeded', `An export has at most ${maxRows} rows (limits.maxExportRows).`);
    }
    const size = nextSize(rows.length, text.length - before);
    const last = rows.at(-1);
    batch = hasMore && last ? await read(Math.min(size, maxRows - count), exportedRows(count, last, cursorOf)) : undefined;
  }
  text.append(writer.end(count));
  if (!text.isEmpty) yield text.take();
}

function exportedRows(count: number, last: Row, cursorOf: ExportBatch['cursorOf']): ExportedRows {
  return cursorOf ? { count, after: cursorOf(last) } : { count };
}

/**
 * Returns the number of rows of the next batch.
 *
 * @param rows of the batch before it
 * @param length of the text of these rows, in characters
 */
function nextSize(rows: number, length: number): number {
  const fitting = Math.floor((BATCH_TEXT * rows) / Math.max(1, length));
  return Math.max(1, Math.min(MOST_ROWS, rows * GROWTH, fitting));
}

/** A buffer of text that is sent in chunks. */
class Text {
  /** The length of all text that was appended, in characters. */
  length: number;

  constructor(private pending: string) {
    this.length = pending.length;
  }

  get isEmpty(): boolean {
    return this.pending === '';
  }

  get isChunk(): boolean {
    return this.pending.length >= CHUNK;
  }

  append(text: string): void {
    this.pending += text;
    this.length += text.length;
  }

  take(): Uint8Array {
    const bytes = Buffer.from(this.pending);
    this.pending = '';
    return bytes;
  }
}
