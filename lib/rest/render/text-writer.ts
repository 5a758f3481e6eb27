import type { Resource } from '../../model/surface/surface.js';
import { ByteChunks } from '../../utils/byte-chunks.js';
import type { RestContext } from '../parse/rest-context.js';
import { attributesText, type Notes } from './attributes-text.js';
import { shownRows, renderWindow } from './render-window.js';
import type { ProjectedRelationship, ResourceProjection } from '../projection/projection.js';
import { idOf, idText, openIdentifier } from './identifier-text.js';
import { versionOf } from './version-of.js';
import type { Row } from '../projection/row.js';
import { collectionUrl } from './resource-urls.js';

/**
 * Writes the resource objects of one document as JSON text, from the constant parts of their projections. The text is what `JSON.stringify` returns
 * for the objects that {@link DocumentWriter} makes, byte for byte, without making them.
 *
 * Only for projections that are not mixed: then the content of a resource object is known when it is first reached, and it is written once.
 */
export class TextWriter implements Notes {
  readonly data = new ByteChunks();
  readonly included = new ByteChunks();
  /** The members of `meta.serialization.values`. */
  readonly notes = new ByteChunks();
  private readonly reached = new Map<Resource, Set<string | number>>();
  private includedCount = 0;

  /** @param most the maximum number of bytes; the rest is not written */
  constructor(
    private readonly settings: RestContext['settings'],
    private readonly most: number,
  ) {}

  get isFull(): boolean {
    return this.data.size + this.included.size + this.notes.size > this.most;
  }

  /** Writes one resource of the primary data, and what it includes. */
  writePrimary(row: Row, projection: ResourceProjection, { place, cursor }: PrimaryText): void {
    this.data.append(this.resourceText(row, idOf(row, projection.resource, this.settings), { projection, place, cursor }));
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
    const place = `included.${this.includedCount}`;
    const text = this.resourceText(row, id, { projection, place });
    this.included.append(this.includedCount > 0 ? `,${text}` : text);
    this.includedCount += 1;
    this.includeRelated(row, projection);
  }

  /** @param open the identifier up to the id */
  identifierText(row: Row, resource: Resource, open: string, cursor?: string): string {
    const meta = cursor === undefined ? '' : `,"meta":{"page":{"cursor":"${cursor}"}}`;
    return `${openIdentifier(row, resource, open, this.settings)}${meta}}`;
  }

  private resourceText(row: Row, id: string | number, { projection, place, cursor }: Placed): string {
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
    const related = row[name];
    const { identifier } = projected.text;
    if (!many) return related ? this.identifierText(related as Row, target, identifier) : this.linkage(row, projected);
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
      const found = row[relationship.name];
      if (!relationship.many) {
        if (found) this.include(found as Row, related);
        continue;
      }
      for (const one of shownRows(row, projected).rows) this.include(one, related);
    }
  }
}

interface PrimaryText {
  /** Where the resource object is in the document. */
  readonly place: string;
  /** Of a page between cursors: the one that falls on it. */
  readonly cursor?: string | undefined;
}

interface Placed extends PrimaryText {
  readonly projection: ResourceProjection;
}

/** The member `meta` of a resource object as JSON text, with the comma before it; empty where there is nothing to say. */
export function metaText(row: Row, resource: Resource, cursor: string | undefined): string {
  if (!resource.version && cursor === undefined) return '';
  const version = versionOf(row, resource);
  const etag = version ? [`"etag":${JSON.stringify(`"${version.version}"`)}`] : [];
  const page = cursor === undefined ? [] : [`"page":{"cursor":"${cursor}"}`];
  return etag.length + page.length > 0 ? `,"meta":{${[...etag, ...page].join()}}` : '';
}

/** An id as a segment of a URL, percent-encoded: most need none. */
function urlText(id: string | number): string {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : encodeURIComponent(id);
  return UNRESERVED.test(id) ? id : encodeURIComponent(id);
}

const UNRESERVED = /^[\w.!~*'()-]*$/;
