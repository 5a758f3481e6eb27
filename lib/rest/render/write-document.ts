import type { RestSettings } from '../../options/rest-settings.js';
import type { Row } from '../../query/result.js';
import { ByteChunks } from '../../utils/byte-chunks.js';
import type { ResourceQuery, SingleQuery } from '../parse/resource-query.js';
import type { Projection } from '../projection/projection.js';
import { ATOMIC_EXTENSION } from '../protocol/media-type.js';
import type { DocumentLinks } from './document.js';
import { MixedWriter } from './mixed-writer.js';
import type { RenderedPage } from './render-page.js';
import { cursorText, type ItemPosition, ResourceWriter } from './resource-writer.js';
import { idText } from './resource-text.js';

/** The input of a document: its query, rows, page and links. */
export interface DocumentParts {
  readonly query: ResourceQuery;
  /** Rows of the primary data. */
  readonly rows: readonly Row[];
  /** `meta` of a page of a collection. */
  readonly meta: RenderedPage['meta'];
  readonly cursorOf: RenderedPage['cursorOf'] | undefined;
  readonly links: DocumentLinks;
}

/**
 * Writes a document as UTF-8 bytes.
 *
 * @param maxBytes the maximum number of bytes
 * @returns undefined if there are more
 */
export function writeDocument(parts: DocumentParts, settings: RestSettings, maxBytes: number): Uint8Array | undefined {
  const { query, rows } = parts;
  const writer = writerOf(query.projection, settings, maxBytes);
  writeData(parts, writer);
  if (writer.isFull) return undefined;
  writer.finish();
  const text = new ByteChunks();
  const [open, close] = query.kind === 'single' ? [rows.length === 0 ? 'null' : '', ''] : ['[', ']'];
  text.append(`{"jsonapi":{"version":"1.1"},"data":${open}`);
  text.appendAll(writer.data);
  text.append(close);
  if (query.compound) {
    text.append(',"included":[');
    text.appendAll(writer.included);
    text.append(']');
  }
  text.append(`,"links":${JSON.stringify(parts.links)}`);
  appendMeta(text, parts.meta, writer.notes);
  text.append('}');
  return withinLimit(text, maxBytes);
}

function writerOf(projection: Projection, settings: RestSettings, maxBytes: number): ResourceWriter {
  const isMixed = projection.kind === 'resource' && projection.isMixed;
  return isMixed ? new MixedWriter(settings, maxBytes) : new ResourceWriter(settings, maxBytes);
}

function writeData({ query, rows, cursorOf }: DocumentParts, writer: ResourceWriter): void {
  const { kind, projection, target } = query;
  const positionOf = (row: Row, index: number): ItemPosition => ({
    path: kind === 'single' ? 'data' : `data.${index}`,
    cursor: cursorOf?.(row),
  });
  if (projection.kind === 'resource' && target.kind !== 'relationship') writer.writePrimary(rows, projection, positionOf);
  else writeIdentifiers(rows, query, cursorOf, writer);
}

/** Writes the data at the URL of a relationship: identifiers, whose resources can be included. */
function writeIdentifiers(
  rows: readonly Row[],
  { projection }: ResourceQuery,
  cursorOf: DocumentParts['cursorOf'],
  writer: ResourceWriter,
): void {
  for (const [index, row] of rows.entries()) {
    if (writer.isFull) return;
    writer.data.append(`${index > 0 ? ',' : ''}${projection.text.open}${idText(projection.idOf(row))}${cursorText(cursorOf?.(row))}}`);
    if (projection.kind === 'resource') writer.include(row, projection);
  }
}

function appendMeta(text: ByteChunks, meta: DocumentParts['meta'], notes: ByteChunks): void {
  const count = meta ? JSON.stringify(meta).slice(1, -1) : '';
  if (notes.size === 0) {
    if (count !== '') text.append(`,"meta":{${count}}`);
    return;
  }
  text.append(`,"meta":{${count}${count === '' ? '' : ','}"serialization":{"values":{`);
  text.appendAll(notes);
  text.append('}}}');
}

function withinLimit(text: ByteChunks, maxBytes: number): Uint8Array | undefined {
  const bytes = text.toBytes();
  return bytes.byteLength > maxBytes ? undefined : bytes;
}

/** The row that an operation has written, and the query that shapes its result. Without a query, the result is empty. */
export interface OperationResult {
  readonly query?: SingleQuery | undefined;
  readonly row: Row;
}

/**
 * Writes the document of operations that succeeded: one result for each, in their order (AO-08). Each has its resource in the state right
 * after its operation (AO-34).
 *
 * @param maxBytes the maximum number of bytes
 * @returns undefined if there are more
 */
export function writeOperations(results: readonly OperationResult[], settings: RestSettings, maxBytes: number): Uint8Array | undefined {
  const text = new ByteChunks();
  const notes = new ByteChunks();
  text.append(`{"jsonapi":{"version":"1.1","ext":["${ATOMIC_EXTENSION}"]},"atomic:results":[`);
  for (const [index, { query, row }] of results.entries()) {
    text.append(index > 0 ? ',{' : '{');
    if (query?.projection.kind === 'resource') {
      const writer = writerOf(query.projection, settings, maxBytes);
      writer.writePrimary([row], query.projection, () => ({ path: `atomic:results.${index}.data` }));
      writer.finish();
      text.append('"data":');
      text.appendAll(writer.data);
      if (writer.notes.size > 0 && notes.size > 0) notes.append(',');
      notes.appendAll(writer.notes);
    }
    text.append('}');
    if (text.size + notes.size > maxBytes) return undefined;
  }
  text.append(']');
  appendMeta(text, undefined, notes);
  text.append('}');
  return withinLimit(text, maxBytes);
}
