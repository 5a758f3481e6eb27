import type { Resource } from '../../model/surface/surface.js';
import { relatedRow, type Row } from '../../query/result.js';
import { ByteChunks } from '../../utils/byte-chunks.js';
import type { ResourceQuery } from '../parse/resource-query.js';
import type { ProjectedRelationship, ResourceProjection } from '../projection/projection.js';
import type { RestSettings } from '../rest-settings.js';
import type { DocumentLinks } from './document.js';
import type { RenderedPage } from './render-page.js';
import { renderWindow, shownRows } from './render-window.js';
import { attributesText, idOf, idText, metaText, type Notes, openIdentifier } from './resource-text.js';
import { collectionUrl } from './resource-urls.js';

/** What a document is made of. */
export interface DocumentParts {
  readonly query: ResourceQuery;
  /** Of the primary data. */
  readonly rows: readonly Row[];
  /** Of a page of a collection. */
  readonly page: RenderedPage['meta'];
  readonly cursorOf: RenderedPage['cursorOf'] | undefined;
  readonly links: DocumentLinks;
}

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
  if (parts.query.compound) {
    text.append(',"included":[');
    text.appendAll(writer.included);
    text.append(']');
  }
  text.append(`,"links":${JSON.stringify(parts.links)}`);
  appendMeta(text, parts.page, writer.notes);
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
    writeRow(row, query, { place: isSingle ? 'data' : `data.${index}`, cursor: cursorOf?.(row) }, writer);
  }
  if (!isSingle) data.append(']');
}

/** At the URL of a relationship the primary data are identifiers, whose resources may be included. */
function writeRow(row: Row, { projection, target }: ResourceQuery, at: ItemPlace, writer: TextWriter): void {
  if (projection.kind === 'resource' && target.kind !== 'relationship') {
    writer.writePrimary(row, projection, at);
    return;
  }
  writer.data.append(writer.identifierText(row, projection.resource, projection.text.open, at.cursor));
  if (projection.kind === 'resource') writer.include(row, projection);
}

function appendMeta(text: ByteChunks, page: DocumentParts['page'], notes: ByteChunks): void {
  const count = page ? JSON.stringify(page).slice(1, -1) : '';
  if (notes.size === 0) {
    if (count !== '') text.append(`,"meta":{${count}}`);
    return;
  }
  text.append(`,"meta":{${count}${count === '' ? '' : ','}"serialization":{"values":{`);
  text.appendAll(notes);
  text.append('}}}');
}

/**
 * Writes the resource objects of one document as JSON text, from the constant parts of their projections. The text is what `JSON.stringify` returns
 * for the objects that {@link DocumentWriter} makes, byte for byte, without making them.
 *
 * Only for projections that are not mixed: then the content of a resource object is known when it is first reached, and it is written once.
 */
class TextWriter implements Notes {
  readonly data = new ByteChunks();
  readonly included = new ByteChunks();
  /** The members of `meta.serialization.values`. */
  readonly notes = new ByteChunks();
  private readonly reached = new Map<Resource, Set<string | number>>();
  private includedCount = 0;

  /** @param most the maximum number of bytes; the rest is not written */
  constructor(
    private readonly settings: RestSettings,
    private readonly most: number,
  ) {}

  get isFull(): boolean {
    return this.data.size + this.included.size + this.notes.size > this.most;
  }

  /** Writes one resource of the primary data, and what it includes. */
  writePrimary(row: Row, projection: ResourceProjection, at: ItemPlace): void {
    this.data.append(this.resourceText(row, idOf(row, projection.resource, this.settings), projection, at));
    this.includeRelated(row, projection);
  }

  /** Writes a resource beside the primary data, unless it is there already. */
  include(row: Row, projection: ResourceProjection): void {
    const { resource } = projection;
    const id = idOf(row, resource, this.settings);
    let reached = this.reached.get(resource);
    if (!reached) this.reached.set(resource, (reached = new Set()));
    if (this.isFull || reached.has(id)) return;
    reached.add(id);
    const text = this.resourceText(row, id, projection, { place: `included.${this.includedCount}` });
    this.included.append(this.includedCount > 0 ? `,${text}` : text);
    this.includedCount += 1;
    this.includeRelated(row, projection);
  }

  /** @param open the identifier up to the id */
  identifierText(row: Row, resource: Resource, open: string, cursor?: string): string {
    const meta = cursor === undefined ? '' : `,"meta":{"page":{"cursor":"${cursor}"}}`;
    return `${openIdentifier(row, resource, open, this.settings)}${meta}}`;
  }

  private resourceText(row: Row, id: string | number, projection: ResourceProjection, { place, cursor }: ItemPlace): string {
    const { open, self } = projection.text;
    const url = urlText(id);
    return `${open}${idText(id)}${attributesText(row, projection.attributes, place, this)}${this.relationshipsText(row, projection, url)}${self}${url}"}${metaText(row, projection.resource, cursor)}}`;
  }

  note(place: string, note: string): void {
    this.notes.append(this.notes.size > 0 ? `,${place}${note}` : place + note);
  }

  private relationshipsText(row: Row, { relationships, resource }: ResourceProjection, url: string): string {
    let members = '';
    for (const projected of relationships) {
      if (projected.shown) members += `${members === '' ? '' : ','}${this.relationshipText(row, projected, url, resource)}`;
    }
    return members === '' ? '' : `,"relationships":{${members}}`;
  }

  private relationshipText(row: Row, projected: ProjectedRelationship, url: string, owner: Resource): string {
    const { related, text } = projected;
    if (related?.kind === 'resource') {
      const data = `${text.open}"data":${this.includedLinkage(row, projected) ?? 'null'}`;
      return `${data}${this.windowText(row, projected, `${collectionUrl(owner, this.settings)}/${url}`)}}`;
    }
    const [before, between, after] = text.links;
    const links = `${before}${url}${between}${url}${after}`;
    const linkage = this.linkage(row, projected);
    return linkage === undefined ? text.open + links : `${text.open}"data":${linkage},${links}`;
  }

  /**
   * Linkage to resources of the document. A row that the caller may not see is not in the document, but the foreign key that refers to it is
   * linkage.
   */
  private includedLinkage(row: Row, projected: ProjectedRelationship): string | undefined {
    const { name, many, target } = projected.relationship;
    const { identifier } = projected.text;
    if (!many) {
      const related = relatedRow(row, name);
      return related ? this.identifierText(related, target, identifier) : this.linkage(row, projected);
    }
    let items = '';
    const { rows, cursors } = shownRows(row, projected);
    for (const one of rows) items += (items === '' ? '' : ',') + this.identifierText(one, target, identifier, cursors?.on(one));
    return `[${items}]`;
  }

  private windowText(row: Row, projected: ProjectedRelationship, self: string): string {
    return projected.window ? `,${JSON.stringify(renderWindow(row, projected.window, projected, self)).slice(1, -1)}` : '';
  }

  private linkage(row: Row, { relationship, keyOf, text }: ProjectedRelationship): string | undefined {
    const key = keyOf(row);
    if (key) return this.identifierText(key, relationship.target, text.identifier);
    return key === null ? 'null' : undefined;
  }

  private includeRelated(row: Row, { relationships }: ResourceProjection): void {
    for (const projected of relationships) {
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

/** Where an item is in the document. */
interface ItemPlace {
  readonly place: string;
  /** Of a page between cursors: the one that falls on it. */
  readonly cursor?: string | undefined;
}

/** An id as a segment of a URL, percent-encoded: most need none. */
function urlText(id: string | number): string {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : encodeURIComponent(id);
  return UNRESERVED.test(id) ? id : encodeURIComponent(id);
}

const UNRESERVED = /^[\w.!~*'()-]*$/;
