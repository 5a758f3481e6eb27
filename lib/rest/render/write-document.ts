import type { Resource } from '../../model/surface/surface.js';
import { segmentOfId } from '../../model/values/resource-id.js';
import { relatedRow, type Row } from '../../query/result.js';
import { ByteChunks } from '../../utils/byte-chunks.js';
import type { ResourceQuery } from '../parse/resource-query.js';
import type { PlannedWindow } from '../projection/page.js';
import type { ProjectedRelationship, ResourceProjection } from '../projection/projection.js';
import type { RestSettings } from '../../options/rest-settings.js';
import type { DocumentLinks } from './document.js';
import type { RenderedPage } from './render-page.js';
import { renderWindow, shownRows } from './render-window.js';
import { attributesText, idText, metaText, type Notes } from './resource-text.js';
import { collectionUrl } from './resource-urls.js';

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
 * Writes a document as the UTF-8 bytes that `JSON.stringify` of its value would have.
 *
 * @param maxBytes the maximum number of bytes
 * @returns undefined if there are more
 */
export function writeDocument(parts: DocumentParts, settings: RestSettings, maxBytes: number): Uint8Array | undefined {
  const writer = new TextWriter(settings, maxBytes);
  writeData(parts, writer);
  if (writer.isFull) return undefined;
  const text = new ByteChunks();
  text.append('{"jsonapi":{"version":"1.1"},"data":');
  text.appendAll(writer.data);
  if (parts.query.compound) {
    text.append(',"included":[');
    text.appendAll(writer.included);
    text.append(']');
  }
  text.append(`,"links":${JSON.stringify(parts.links)}`);
  appendMeta(text, parts.meta, writer.notes);
  text.append('}');
  const bytes = text.toBytes();
  return bytes.byteLength > maxBytes ? undefined : bytes;
}

function writeData({ query, rows, cursorOf }: DocumentParts, writer: TextWriter): void {
  const { data } = writer;
  const isSingle = query.kind === 'single';
  if (isSingle && rows.length === 0) data.append('null');
  if (!isSingle) data.append('[');
  for (const [index, row] of rows.entries()) {
    if (writer.isFull) return;
    if (index > 0) data.append(',');
    writeRow(row, query, { place: isSingle ? 'data' : `data.${index}`, cursor: cursorOf?.(row) }, writer);
  }
  if (!isSingle) data.append(']');
}

/** Writes one row of the primary data. At the URL of a relationship, primary data are identifiers, and their resources can be included. */
function writeRow(row: Row, { projection, target }: ResourceQuery, at: ItemPlace, writer: TextWriter): void {
  if (projection.kind === 'resource' && target.kind !== 'relationship') {
    writer.writePrimary(row, projection, at);
    return;
  }
  writer.data.append(`${projection.text.open}${idText(projection.idOf(row))}${cursorText(at.cursor)}}`);
  if (projection.kind === 'resource') writer.include(row, projection);
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

/**
 * Writes the resource objects of one document as JSON text, from the constant parts of their projections. The text equals `JSON.stringify`
 * of the objects that {@link DocumentWriter} makes, byte for byte, but no objects are made.
 *
 * Requires a projection that is not mixed. Only then is a resource object complete when a row first reaches it, so that it is written once.
 */
class TextWriter implements Notes {
  readonly data = new ByteChunks();
  readonly included = new ByteChunks();
  /** The members of `meta.serialization.values`, as JSON text. */
  readonly notes = new ByteChunks();
  private readonly reached = new Map<Resource, Set<string | number>>();
  private includedCount = 0;

  /** @param maxBytes the maximum number of bytes; writing stops above it */
  constructor(
    private readonly settings: RestSettings,
    private readonly maxBytes: number,
  ) {}

  get isFull(): boolean {
    return this.data.size + this.included.size + this.notes.size > this.maxBytes;
  }

  /** Writes one resource of the primary data, and the resources that it includes. */
  writePrimary(row: Row, projection: ResourceProjection, at: ItemPlace): void {
    this.data.append(this.resourceText(row, projection.idOf(row), projection, at));
    this.includeRelated(row, projection);
  }

  /** Adds a resource to `included`, unless it is there already. */
  include(row: Row, projection: ResourceProjection): void {
    if (this.isFull) return;
    const id = projection.idOf(row);
    const reached = this.reachedOf(projection.resource);
    const { size } = reached;
    if (reached.add(id).size === size) return;
    const text = this.resourceText(row, id, projection, { place: `included.${this.includedCount}` });
    this.included.append(this.includedCount > 0 ? `,${text}` : text);
    this.includedCount += 1;
    if (projection.included.length > 0) this.includeRelated(row, projection);
  }

  /** Returns the ids of a resource's rows that are in `included`. */
  private reachedOf(resource: Resource): Set<string | number> {
    const known = this.reached.get(resource);
    if (known) return known;
    const made = new Set<string | number>();
    this.reached.set(resource, made);
    return made;
  }

  private resourceText(row: Row, id: string | number, projection: ResourceProjection, { place, cursor }: ItemPlace): string {
    const { attributes, resource, text } = projection;
    const url = urlText(id);
    const relationships = this.relationshipsText(row, projection, url);
    const meta = metaText(row, resource, cursor);
    const end = meta === '' ? '"}}' : `"}${meta}}`;
    return `${text.open}${idText(id)}${attributesText(row, attributes, place, this)}${relationships}${text.self}${url}${end}`;
  }

  note(place: string, note: string): void {
    this.notes.append(this.notes.size > 0 ? `,"${place}${note}` : `"${place}${note}`);
  }

  private relationshipsText(row: Row, { relationships, resource }: ResourceProjection, url: string): string {
    let members = '';
    for (const projected of relationships) {
      if (!projected.shown) continue;
      const text =
        projected.related?.kind === 'resource' ? this.includedText(row, projected, url, resource) : linksText(row, projected, url);
      members = members === '' ? `,"relationships":{${text}` : `${members},${text}`;
    }
    return members === '' ? '' : `${members}}`;
  }

  /** Returns the text of a relationship whose resources are included. */
  private includedText(row: Row, projected: ProjectedRelationship, url: string, owner: Resource): string {
    const { window, text } = projected;
    const shown = window ? this.windowText(row, { ...projected, window }, `${collectionUrl(owner, this.settings)}/${url}`) : '';
    return `${text.data}${this.includedLinkage(row, projected)}${shown}}`;
  }

  /**
   * Returns linkage to included resources. If rules or RLS hide the related row, it is not included, but its foreign key still gives the
   * linkage.
   */
  private includedLinkage(row: Row, projected: ProjectedRelationship): string {
    const { relationship, targetIdOf, text, linkedIdOf } = projected;
    const { identifier } = text;
    if (!relationship.many) {
      const related = relatedRow(row, relationship.name);
      const id = related ? targetIdOf(related) : linkedIdOf(row);
      return id === null || id === undefined ? 'null' : `${identifier}${idText(id)}}`;
    }
    let items = '';
    const { rows, cursors } = shownRows(row, projected);
    for (const one of rows) {
      const item = `${identifier}${idText(targetIdOf(one))}${cursorText(cursors?.on(one))}}`;
      items = items === '' ? item : `${items},${item}`;
    }
    return `[${items}]`;
  }

  private windowText(row: Row, projected: ProjectedRelationship & { readonly window: PlannedWindow }, self: string): string {
    return `,${JSON.stringify(renderWindow(row, projected.window, projected, self)).slice(1, -1)}`;
  }

  private includeRelated(row: Row, { included }: ResourceProjection): void {
    for (const projected of included) {
      const { relationship, related } = projected;
      if (related?.kind !== 'resource') continue;
      if (relationship.many) {
        for (const one of shownRows(row, projected).rows) this.include(one, related);
        continue;
      }
      const found = relatedRow(row, relationship.name);
      if (found) this.include(found, related);
    }
  }
}

/** Returns the text of a relationship whose resources are not included: its links, and the linkage if the row holds it. */
function linksText(row: Row, { linkedIdOf, text }: ProjectedRelationship, url: string): string {
  const id = linkedIdOf(row);
  const end = `${url}${text.between}${url}${text.after}`;
  if (id === undefined) return text.links + end;
  return id === null ? text.unlinked + end : `${text.linked}${idText(id)}${text.linkedLinks}${end}`;
}

/** Returns the member `meta` with the cursor of an identifier, with the comma before it; empty without a cursor. */
function cursorText(cursor: string | undefined): string {
  return cursor === undefined ? '' : `,"meta":{"page":{"cursor":"${cursor}"}}`;
}

/** The path of an item in the document, and its cursor. */
interface ItemPlace {
  readonly place: string;
  /** Cursor of the item, on a page between cursors. */
  readonly cursor?: string | undefined;
}

/** Returns an id as a percent-encoded URL segment. Most ids need no encoding. */
function urlText(id: string | number): string {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : encodeURIComponent(id);
  return UNRESERVED.test(id) ? id : encodeURIComponent(segmentOfId(id));
}

/** Matches texts that are URL segments without encoding. */
const UNRESERVED = /^(?!\.{0,2}$)[\w.!~*'()-]*$/;
