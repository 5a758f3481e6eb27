import type { Resource } from '../../model/surface/surface.js';
import { segmentOfId } from '../../model/values/resource-id.js';
import type { RestSettings } from '../../options/rest-settings.js';
import { relatedRow, type Row } from '../../query/result.js';
import { ByteChunks } from '../../utils/byte-chunks.js';
import type { PlannedWindow } from '../projection/page.js';
import type { ProjectedRelationship, ResourceProjection } from '../projection/projection.js';
import { renderWindow, shownRows } from './render-window.js';
import { attributesText, idText, metaText, type Notes } from './resource-text.js';
import { collectionUrl } from './resource-urls.js';

/**
 * Writes the resource objects of one document as JSON text, from the constant parts of their projections, each resource once (DS-17).
 *
 * A resource object is complete when a row first reaches it. That requires a projection that is not mixed; for others there is the subclass
 * {@link MixedWriter}.
 */
export class ResourceWriter implements Notes {
  readonly data = new ByteChunks();
  readonly included = new ByteChunks();
  /** The members of `meta.serialization.values`, as JSON text. */
  readonly notes = new ByteChunks();
  private readonly reached = new Map<Resource, Set<string | number>>();
  private includedCount = 0;

  /** @param maxBytes the maximum number of bytes; writing stops above it */
  constructor(
    private readonly settings: RestSettings,
    protected readonly maxBytes: number,
  ) {}

  get isFull(): boolean {
    return this.data.size + this.included.size + this.notes.size > this.maxBytes;
  }

  /** Writes the resources of the primary data, separated by commas, and the resources that they include. */
  writePrimary(rows: readonly Row[], projection: ResourceProjection, positionOf: PositionOf): void {
    for (const [index, row] of rows.entries()) {
      if (this.isFull) return;
      const text = this.resourceText(row, projection.idOf(row), projection, positionOf(row, index));
      this.data.append(index > 0 ? `,${text}` : text);
      this.includeRelated(row, projection);
    }
  }

  /** Adds a resource to `included`, unless it is there already. */
  include(row: Row, projection: ResourceProjection): void {
    if (this.isFull) return;
    const id = projection.idOf(row);
    const reached = this.reachedOf(projection.resource);
    const { size } = reached;
    if (reached.add(id).size === size) return;
    const text = this.resourceText(row, id, projection, { path: `included.${this.includedCount}` });
    this.included.append(this.includedCount > 0 ? `,${text}` : text);
    this.includedCount += 1;
    if (projection.included.length > 0) this.includeRelated(row, projection);
  }

  /** Completes `data` and `included`. Nothing may be written after it. */
  finish(): void {
    // Without mixed projections they are complete at any time.
  }

  /** Returns the ids of a resource's rows that are in `included`. */
  private reachedOf(resource: Resource): Set<string | number> {
    const known = this.reached.get(resource);
    if (known) return known;
    const made = new Set<string | number>();
    this.reached.set(resource, made);
    return made;
  }

  private resourceText(row: Row, id: string | number, projection: ResourceProjection, at: ItemPosition): string {
    const url = urlText(id);
    const relationships = this.relationshipsText(row, projection, url);
    return `${this.startText(row, id, projection, at.path)}${relationships}${endText(row, projection, url, at.cursor)}`;
  }

  /** Returns a resource object up to its attributes. */
  protected startText(row: Row, id: string | number, { attributes, text }: ResourceProjection, path: string): string {
    return `${text.open}${idText(id)}${attributesText(row, attributes, path, this)}`;
  }

  note(place: string, note: string): void {
    this.notes.append(this.notes.size > 0 ? `,"${place}${note}` : `"${place}${note}`);
  }

  private relationshipsText(row: Row, { relationships, resource }: ResourceProjection, url: string): string {
    let members = '';
    for (const projected of relationships) {
      if (!projected.shown) continue;
      const text = this.relationshipText(row, projected, url, resource);
      members = members === '' ? `,"relationships":{${text}` : `${members},${text}`;
    }
    return members === '' ? '' : `${members}}`;
  }

  protected relationshipText(row: Row, projected: ProjectedRelationship, url: string, owner: Resource): string {
    return projected.related?.kind === 'resource' ? this.includedText(row, projected, url, owner) : linksText(row, projected, url);
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

  protected includeRelated(row: Row, { included }: ResourceProjection): void {
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

/** Returns a resource object from its links on. */
export function endText(row: Row, { resource, text }: ResourceProjection, url: string, cursor: string | undefined): string {
  const meta = metaText(row, resource, cursor);
  return `${text.self}${url}${meta === '' ? '"}}' : `"}${meta}}`}`;
}

/** Returns the text of a relationship whose resources are not included: its links, and the linkage if the row holds it. */
function linksText(row: Row, { linkedIdOf, text }: ProjectedRelationship, url: string): string {
  const id = linkedIdOf(row);
  const end = `${url}${text.between}${url}${text.after}`;
  if (id === undefined) return text.links + end;
  return id === null ? text.unlinked + end : `${text.linked}${idText(id)}${text.linkedLinks}${end}`;
}

/** Returns the member `meta` with the cursor of an identifier, with the comma before it; empty without a cursor. */
export function cursorText(cursor: string | undefined): string {
  return cursor === undefined ? '' : `,"meta":{"page":{"cursor":"${cursor}"}}`;
}

/** The path of a resource object in the document, and its cursor. */
export interface ItemPosition {
  readonly path: string;
  /** Cursor of the row, on a page between cursors. */
  readonly cursor?: string | undefined;
}

type PositionOf = (row: Row, index: number) => ItemPosition;

/** Returns an id as a percent-encoded URL segment. Most ids need no encoding. */
export function urlText(id: string | number): string {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : encodeURIComponent(id);
  return UNRESERVED.test(id) ? id : encodeURIComponent(segmentOfId(id));
}

/** Matches texts that are URL segments without encoding. */
const UNRESERVED = /^(?!\.{0,2}$)[\w.!~*'()-]*$/;
