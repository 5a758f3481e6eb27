import { ByteChunks } from '../../utils/byte-chunks.js';
import type { RestSettings } from '../rest-settings.js';
import type { DocumentParts } from './document-parts.js';
import { TextWriter } from './text-writer.js';

/**
 * Writes a document as the bytes of its JSON text: those of `JSON.stringify` of the value.
 *
 * @param most the maximum number of bytes
 * @returns undefined if there are more
 */
export function writeDocument(parts: DocumentParts, settings: RestSettings, most: number): Uint8Array | undefined {
  const writer = new TextWriter(settings, most);
  writeData(parts, writer);
  if (writer.isFull) return undefined;
  const text = new ByteChunks();
  text.append('{"jsonapi":{"version":"1.1"},"data":');
  text.appendAll(writer.data);
  if (parts.query.compound) appendIncluded(text, writer);
  text.append(`,"links":${JSON.stringify(parts.links)}`);
  appendMeta(text, parts, writer);
  text.append('}');
  const bytes = text.toBytes();
  return bytes.byteLength > most ? undefined : bytes;
}

function writeData({ query, rows, cursorOf }: DocumentParts, writer: TextWriter): void {
  const { data } = writer;
  const isSingle = query.kind === 'single';
  if (isSingle && rows.length === 0) data.append('null');
  if (!isSingle) data.append('[');
  for (const [index, row] of rows.entries()) {
    if (writer.isFull) return;
    if (index > 0) data.append(',');
    writeRow(row, { query, place: isSingle ? 'data' : `data.${index}`, cursor: cursorOf?.(row) }, writer);
  }
  if (!isSingle) data.append(']');
}

interface Place {
  readonly query: DocumentParts['query'];
  readonly place: string;
  readonly cursor: string | undefined;
}

/** At the URL of a relationship the primary data are identifiers, whose resources may be included. */
function writeRow(row: DocumentParts['rows'][number], { query, place, cursor }: Place, writer: TextWriter): void {
  const { projection, target } = query;
  if (projection.kind === 'resource' && target.kind !== 'relationship') {
    writer.writePrimary(row, projection, { place, cursor });
    return;
  }
  writer.data.append(writer.identifierText(row, projection.resource, projection.text.open, cursor));
  if (projection.kind === 'resource') writer.include(row, projection);
}

function appendIncluded(text: ByteChunks, { included }: TextWriter): void {
  text.append(',"included":[');
  text.appendAll(included);
  text.append(']');
}

function appendMeta(text: ByteChunks, parts: DocumentParts, { notes }: TextWriter): void {
  const count = countText(parts);
  if (notes.size === 0) {
    if (count !== '') text.append(`,"meta":{${count}}`);
    return;
  }
  text.append(`,"meta":{${count}${count === '' ? '' : ','}"serialization":{"values":{`);
  text.appendAll(notes);
  text.append('}}}');
}

function countText({ page }: DocumentParts): string {
  return page ? JSON.stringify(page).slice(1, -1) : '';
}
