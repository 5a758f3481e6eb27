import type { Resource } from '../../model/surface/surface.js';
import type { Row } from '../../query/result.js';
import type { ResourceProjection } from '../projection/projection.js';
import { endText, type ItemPosition, ResourceWriter, urlText } from './resource-writer.js';

/** The text of a resource object, whose relationships other projections may add to. */
interface MixedObject {
  readonly start: string;
  /** The texts of the relationships, by member. */
  readonly relationships: Map<string, string>;
  readonly url: string;
  readonly end: string;
  /** The projections whose relationships are written already. */
  readonly projections: ResourceProjection[];
}

/**
 * Writes a document in which one resource can occur under several projections. Each adds its relationships to the resource object, so that
 * every included resource is linked to (DS-16).
 */
export class MixedWriter extends ResourceWriter {
  private readonly objects = new Map<Resource, Map<string | number, MixedObject>>();
  private readonly primary: MixedObject[] = [];
  private readonly includedObjects: MixedObject[] = [];
  /** Characters of all objects without their relationships, which another projection may replace: a lower bound of the document. */
  private size = 0;

  override get isFull(): boolean {
    return this.size > this.maxBytes || super.isFull;
  }

  override writePrimary(rows: readonly Row[], projection: ResourceProjection, positionOf: (row: Row, index: number) => ItemPosition): void {
    // All are registered before the first one includes resources, so that none of them is included as well.
    const objects = rows.map((row, index) => this.enter(row, projection, positionOf(row, index)));
    for (const [index, object] of objects.entries()) this.merge(object, rows[index] ?? {}, projection);
    this.primary.push(...objects);
  }

  override include(row: Row, projection: ResourceProjection): void {
    if (this.isFull) return;
    let object = this.objects.get(projection.resource)?.get(projection.idOf(row));
    if (!object) {
      object = this.enter(row, projection, { path: `included.${this.includedObjects.length}` });
      this.includedObjects.push(object);
    }
    this.merge(object, row, projection);
  }

  override finish(): void {
    this.data.append(this.primary.map(objectText).join());
    this.included.append(this.includedObjects.map(objectText).join());
  }

  private enter(row: Row, projection: ResourceProjection, { path, cursor }: ItemPosition): MixedObject {
    const id = projection.idOf(row);
    const url = urlText(id);
    const start = this.startText(row, id, projection, path);
    const object = { start, relationships: new Map<string, string>(), url, end: endText(row, projection, url, cursor), projections: [] };
    const ofResource = this.objects.get(projection.resource) ?? new Map<string | number, MixedObject>();
    this.objects.set(projection.resource, ofResource.set(id, object));
    this.size += start.length + object.end.length;
    return object;
  }

  private merge(object: MixedObject, row: Row, projection: ResourceProjection): void {
    const { projections, relationships, url } = object;
    if (projections.includes(projection)) return;
    projections.push(projection);
    for (const projected of projection.relationships) {
      const { related, relationship, shown } = projected;
      if (!shown || (related?.kind !== 'resource' && relationships.has(relationship.member))) continue;
      const text = this.relationshipText(row, projected, url, projection.resource);
      relationships.set(relationship.member, text);
    }
    this.includeRelated(row, projection);
  }
}

function objectText({ start, relationships, end }: MixedObject): string {
  return relationships.size === 0 ? start + end : `${start},"relationships":{${[...relationships.values()].join()}}${end}`;
}
