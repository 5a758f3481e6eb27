import { ApiError } from '../errors/api-error.js';
import type { Row } from '../query/result.js';
import type { ExportWriter } from './render/export-writer.js';

/** Some rows of an export, in its order. */
export interface ExportBatch {
  readonly rows: readonly Row[];
  /** Absent where the batch was read by its offset. */
  readonly cursorOf?: (row: Row) => string;
  /** Whether others follow. */
  readonly hasMore: boolean;
}

/** The rows before a batch: their number, and the cursor of the last one where it has one. */
export interface ExportedRows {
  readonly count: number;
  readonly after?: string;
}

/** Reads the next rows: at most so many, behind others. */
type ReadBatch = (size: number, before: ExportedRows) => Promise<ExportBatch>;

/** Rows of the first batch, whose size in bytes nobody knows yet. */
export const FIRST_BATCH = 50;

/** A statement for each thousand rows is no load, and what they hold is none for memory (SE-04). */
const MOST_ROWS = 1000;

/** Of wide rows, a batch has fewer: of about so much text. */
const BATCH_TEXT = 1_000_000;

/** How much more than the batch before a batch may have. */
const GROWTH = 5;

/** What is sent at once: a chunk is read when the one before is taken. */
const CHUNK = 32_768;

/**
 * The text of an export in chunks. The next batch is read when the one before is written and taken.
 *
 * @param first rows: what goes wrong with them is told by an error of its own
 * @param maxRows `limits.maxExportRows`
 * @throws ApiError `limit-exceeded` behind `maxRows` rows
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

/** @param length of the text that the rows of the batch before were */
function nextSize(rows: number, length: number): number {
  const fitting = Math.floor((BATCH_TEXT * rows) / Math.max(1, length));
  return Math.max(1, Math.min(MOST_ROWS, rows * GROWTH, fitting));
}

/** Text that leaves in chunks. */
class Text {
  /** Of all that was ever appended. */
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
