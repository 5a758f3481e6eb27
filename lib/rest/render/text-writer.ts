import { formatId } from '../../model/values/resource-id.js';
import type { Resource } from '../../model/surface/surface.js';
import { ByteChunks } from '../../utils/byte-chunks.js';
import { checkComputed } from '../../wire/check-computed.js';
import { encodeScalar } from '../../wire/encode-scalar.js';
import { jsonString } from '../../wire/json-text.js';
import { isReservedKey } from '../../wire/path.js';
import { annotationOfTyped } from '../../wire/wire-text.js';
import type { RestContext } from '../parse/rest-context.js';
import type { ProjectedAttribute, ProjectedRelationship, ResourceProjection } from '../projection/projection.js';
import type { Row } from '../projection/row.js';

/**
 * Writes the resource objects of one document as JSON text, from the constant parts of their projections. The text is what `JSON.stringify` returns
 * for the objects that {@link DocumentWriter} makes, byte for byte, without making them.
 *
 * Only for projections that are not mixed: then the content of a resource object is known when it is first reached, and it is written once.
 */
export class TextWriter {
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
  writePrimary(row: Row, projection: ResourceProjection, place: string): void {
    this.data.append(this.resourceText(row, this.idOf(row, projection.resource), { projection, place }));
    this.includeRelated(row, projection);
  }

  /** Writes a resource beside the primary data, unless it is there already. */
  include(row: Row, projection: ResourceProjection): void {
    const { resource } = projection;
    const id = this.idOf(row, resource);
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
  identifierText(row: Row, resource: Resource, open: string): string {
    return `${open}${idText(this.idOf(row, resource))}}`;
  }

  private idOf(row: Row, { identifier }: Resource): string | number {
    const id = formatId(identifier, row, this.settings.idDivider);
    return this.settings.strict ? String(id) : id;
  }

  private resourceText(row: Row, id: string | number, { projection, place }: Placed): string {
    const { open, self } = projection.text;
    const url = urlText(id);
    return `${open}${idText(id)}${this.attributesText(row, projection, place)}${this.relationshipsText(row, projection, url)}${self}${url}"}}`;
  }

  private attributesText(row: Row, { attributes }: ResourceProjection, place: string): string {
    if (attributes.length === 0) return '';
    let members = '';
    for (const projected of attributes) {
      const { attribute, first, next, note, textOf } = projected;
      const value = row[attribute.name];
      if (attribute.computed) checkComputed(attribute, value);
      let text = value === null ? 'null' : textOf(value);
      if (text === undefined) text = this.otherText(value, projected, `${place}.attributes.${attribute.member}`);
      else if (note !== '' && value !== null) this.note(`"${place}`, note);
      if (text !== undefined) members += (members === '' ? first : next) + text;
    }
    return `,"attributes":{${members}}`;
  }

  /** A value that is not the usual one of its type: a list, a number that JSON lacks, or whatever an extension of the data client has made of it. */
  private otherText(value: unknown, projected: ProjectedAttribute, path: string): string | undefined {
    const { attribute, textOf } = projected;
    if (attribute.type === 'Json') return JSON.stringify(value);
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value;
      return `[${items.map((item, index) => this.otherText(item, projected, `${path}.${index}`) ?? 'null').join()}]`;
    }
    if (value === undefined) return undefined;
    const annotation = annotationOfTyped(attribute.type, value);
    if (annotation && !isReservedKey(attribute.member)) this.note(jsonString(path), `:${JSON.stringify(annotation)}`);
    return textOf(value) ?? JSON.stringify(encodeScalar(value, 'base64'));
  }

  private note(place: string, note: string): void {
    this.notes.append(this.notes.size > 0 ? `,${place}${note}` : place + note);
  }

  private relationshipsText(row: Row, { relationships }: ResourceProjection, url: string): string {
    let members = '';
    for (const projected of relationships) {
      if (projected.shown) members += `${members === '' ? '' : ','}${this.relationshipText(row, projected, url)}`;
    }
    return members === '' ? '' : `,"relationships":{${members}}`;
  }

  private relationshipText(row: Row, projected: ProjectedRelationship, url: string): string {
    const { related, text } = projected;
    if (related?.kind === 'resource') return `${text.open}"data":${this.includedLinkage(row, projected) ?? 'null'}}`;
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
    for (const one of (related ?? []) as readonly Row[]) {
      items += (items === '' ? '' : ',') + this.identifierText(one, target, identifier);
    }
    return `[${items}]`;
  }

  private linkage(row: Row, { relationship, keyOf, text }: ProjectedRelationship): string | undefined {
    const key = keyOf(row);
    if (key) return this.identifierText(key, relationship.target, text.identifier);
    return key === null ? 'null' : undefined;
  }

  private includeRelated(row: Row, { relationships }: ResourceProjection): void {
    for (const { relationship, related } of relationships) {
      if (related?.kind !== 'resource') continue;
      const found = row[relationship.name];
      if (!relationship.many) {
        if (found) this.include(found as Row, related);
        continue;
      }
      for (const one of (found ?? []) as readonly Row[]) this.include(one, related);
    }
  }
}

interface Placed {
  readonly projection: ResourceProjection;
  /** Where the resource object is in the document. */
  readonly place: string;
}

function idText(id: string | number): string {
  if (typeof id === 'string') return jsonString(id);
  return Number.isFinite(id) ? String(id) : 'null';
}

/** An id as a segment of a URL, percent-encoded: most need none. */
function urlText(id: string | number): string {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? String(id) : encodeURIComponent(id);
  return UNRESERVED.test(id) ? id : encodeURIComponent(id);
}

const UNRESERVED = /^[\w.!~*'()-]*$/;
