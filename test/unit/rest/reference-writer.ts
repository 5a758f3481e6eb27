import type { Attribute, Resource } from '../../../lib/model/surface/surface.js';
import { relatedRow, type Row } from '../../../lib/query/result.js';
import { checkComputedValue } from '../../../lib/wire/check-computed.js';
import { encodeScalar } from '../../../lib/wire/encode-scalar.js';
import { isReservedKey } from '../../../lib/wire/path.js';
import { requireReadable } from '../../../lib/wire/require-readable.js';
import type { Annotation, Serialization } from '../../../lib/wire/serialization.js';
import { annotationOfTyped } from '../../../lib/wire/wire-text.js';
import type { RestContext } from '../../../lib/rest/parse/rest-context.js';
import type { ProjectedRelationship, ResourceProjection } from '../../../lib/rest/projection/projection.js';
import type { DocumentLinks, DocumentMeta, RelationshipLinks, WindowMembers } from '../../../lib/rest/render/document.js';
import type { ResourceQuery } from '../../../lib/rest/parse/resource-query.js';
import type { RowPage } from '../../../lib/rest/projection/page.js';
import { renderWindow, shownRows } from '../../../lib/rest/render/render-window.js';
import { idOf, versionOf } from '../../../lib/rest/render/resource-text.js';
import { relationshipUrls, resourceUrl } from '../../../lib/rest/render/resource-urls.js';

/** A JSON:API document with data (specification, section 2). */
export interface Document {
  readonly jsonapi: { readonly version: '1.1' };
  readonly data: PrimaryData;
  /** Present exactly when the request has `include`. */
  readonly included?: readonly ResourceObject[];
  readonly links: DocumentLinks;
  readonly meta?: DocumentMeta;
}

type PrimaryData = ResourceOrIdentifier | readonly ResourceOrIdentifier[] | null;

type ResourceOrIdentifier = ResourceObject | Identifier;

/** The identifier of one resource. */
interface Identifier {
  readonly type: string;
  /** A number for a number key that JSON carries exactly, a string otherwise. Always a string in strict mode. */
  readonly id: string | number;
  readonly meta?: ItemMeta;
}

/** `meta` of a resource object, or of an identifier in a page of linkage. */
interface ItemMeta {
  /** ETag for `If-Match`, of a resource that has a version. */
  readonly etag?: string;
  /** The item's cursor, on a page between cursors (CP-12). */
  readonly page?: { readonly cursor: string };
}

export interface ResourceObject extends Identifier {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, RelationshipObject>>;
  readonly links: { readonly self: string };
}

/** A relationship: linkage if the row holds it, and links unless the related resources are included. */
interface RelationshipObject extends Partial<Omit<WindowMembers, 'links'>> {
  readonly data?: Linkage;
  readonly links?: WindowMembers['links'];
}

type Linkage = Identifier | readonly Identifier[] | null;

/**
 * Returns the data, the included resources and the metadata of values of a document. It is the plainest way to make them, as values, and
 * the tests compare it with the text that the package writes.
 */
export function referenceDocument(query: ResourceQuery, { rows, cursors }: RowPage, context: RestContext): Partial<Document> {
  const writer = new ReferenceWriter(context);
  const data = primaryData(query, rows, writer, cursors && ((row) => cursors.on(row)));
  const serialization = writer.serialization();
  return { data, ...(query.compound && { included: writer.included }), ...(serialization && { meta: { serialization } }) };
}

function primaryData(
  { kind, target, resource, projection }: ResourceQuery,
  rows: readonly Row[],
  writer: ReferenceWriter,
  cursorOf?: (row: Row) => string,
): PrimaryData {
  if (projection.kind === 'resource' && target.kind !== 'relationship') {
    const pathOf = (index: number): string => (kind === 'single' ? 'data' : `data.${index}`);
    const resources = writer.writePrimary(rows, projection, pathOf, cursorOf);
    return kind === 'single' ? (resources[0] ?? null) : resources;
  }
  const identifiers = rows.map((row) => {
    const identifier = projection.kind === 'resource' ? writer.include(row, projection) : writer.identify(resource, row);
    return withCursor(identifier, cursorOf?.(row));
  });
  return kind === 'single' ? (identifiers[0] ?? null) : identifiers;
}

/**
 * Writes the resource objects of one document, each resource once (DS-17). If another include path reaches a resource again, the
 * relationships of that path are added to it, so that every included resource is linked to (DS-16).
 */
class ReferenceWriter {
  private readonly others: Entry[] = [];
  private readonly entries = new Map<Resource, Map<string | number, Entry>>();
  private readonly annotations: Record<string, Annotation> = {};

  constructor(private readonly context: RestContext) {}

  /** The resources of `included`, in the order in which they are first reached. */
  get included(): readonly ResourceObject[] {
    return this.others.map(writtenObject);
  }

  /**
   * Writes the primary data. All of its resources are registered before the first one is written, so that none of them is included as well.
   *
   * @param pathOf returns the JSON path of an item in the document
   * @param cursorOf returns the cursor of a row, on a page between cursors
   */
  writePrimary(
    rows: readonly Row[],
    projection: ResourceProjection,
    pathOf: (index: number) => string,
    cursorOf?: (row: Row) => string,
  ): readonly ResourceObject[] {
    const entries = rows.map((row, index) => this.enter(this.identify(projection.resource, row), projection.resource, pathOf(index)));
    for (const [index, row] of rows.entries()) {
      const entry = entries[index];
      if (!entry) continue;
      this.fill(entry, row, projection);
      if (cursorOf) entry.object.meta = { ...entry.object.meta, page: { cursor: cursorOf(row) } };
    }
    return entries.map(writtenObject);
  }

  /** Adds a resource to `included`, unless it is in the document already. */
  include(row: Row, projection: ResourceProjection): Identifier {
    const identifier = this.identify(projection.resource, row);
    let entry = this.entries.get(projection.resource)?.get(identifier.id);
    if (!entry) {
      entry = this.enter(identifier, projection.resource, `included.${this.others.length}`);
      this.others.push(entry);
    }
    this.fill(entry, row, projection);
    return identifier;
  }

  /** Returns type and id of a row. */
  identify(resource: Resource, row: Row): Identifier {
    return { type: resource.type, id: idOf(row, resource, this.context.settings) };
  }

  /** Returns the types of values that JSON lacks; undefined if there are none. */
  serialization(): Serialization | undefined {
    return Object.keys(this.annotations).length > 0 ? { values: this.annotations } : undefined;
  }

  private enter({ type, id }: Identifier, resource: Resource, path: string): Entry {
    const entry: Entry = { object: { type, id }, path, projections: [] };
    const ofType = this.entries.get(resource) ?? new Map<string | number, Entry>();
    this.entries.set(resource, ofType.set(id, entry));
    return entry;
  }

  private fill(entry: Entry, row: Row, projection: ResourceProjection): void {
    if (entry.projections.includes(projection)) return;
    const { attributes, relationships } = projection;
    const { object } = entry;
    const self = resourceUrl(projection.resource, object.id, this.context.settings);
    if (entry.projections.length === 0) this.writeAttributes(entry, row, attributes);
    entry.projections.push(projection);
    for (const relationship of relationships) this.writeRelationship(object, row, relationship, self);
    object.links = { self };
    const version = versionOf(row, projection.resource);
    if (version) object.meta = { etag: `"${version.version}"`, ...object.meta };
  }

  private writeAttributes({ object, path }: Entry, row: Row, attributes: ResourceProjection['attributes']): void {
    if (attributes.length === 0) return;
    const written: Record<string, unknown> = {};
    for (const { attribute, key } of attributes) {
      const value = row[attribute.name];
      requireReadable(row, attribute, key);
      if (attribute.computed) checkComputedValue(attribute, value);
      written[attribute.member] =
        attribute.type === 'Json' ? value : this.writeValue(value, attribute, `${path}.attributes.${attribute.member}`);
    }
    object.attributes = written;
  }

  private writeValue(value: unknown, attribute: Attribute, path: string): unknown {
    if (value === null || value === undefined) return value;
    if (Array.isArray(value)) return value.map((element, index) => this.writeValue(element, attribute, `${path}.${index}`));
    const annotation = annotationOfTyped(attribute.type, value);
    if (!annotation) return value;
    if (!isReservedKey(attribute.member)) this.annotations[path] = annotation;
    return encodeScalar(value, 'base64');
  }

  private writeRelationship(object: Shell, row: Row, relationship: ProjectedRelationship, self: string): void {
    const { shown, related, keyOf } = relationship;
    const { member, target } = relationship.relationship;
    const included = related?.kind === 'resource' ? related : undefined;
    const data = included ? this.includeRelated(row, relationship, included) : this.linkage(keyOf(row), target);
    if (!shown) return;
    const relationships = (object.relationships ??= {});
    if (included)
      relationships[member] = {
        data: data ?? null,
        ...(relationship.window && renderWindow(row, relationship.window, relationship, self)),
      };
    else if (!Object.hasOwn(relationships, member))
      relationships[member] = withLinks(data, relationshipUrls(self, encodeURIComponent(member)));
  }

  /** Adds related resources to the document, and returns the linkage to them. */
  private includeRelated(row: Row, projected: ProjectedRelationship, included: ResourceProjection): Linkage | undefined {
    const { relationship, keyOf } = projected;
    const { name, many, target } = relationship;
    if (many) {
      const { rows, cursors } = shownRows(row, projected);
      return rows.map((one) => withCursor(this.include(one, included), cursors?.on(one)));
    }
    const related = relatedRow(row, name);
    // If rules or RLS hide the related row, it is not included, but its foreign key still gives the linkage.
    return related ? this.include(related, included) : this.linkage(keyOf(row), target);
  }

  private linkage(key: Row | null | undefined, target: Resource): Identifier | null | undefined {
    return key ? this.identify(target, key) : key;
  }
}

/** A resource object under construction. */
interface Shell extends Identifier {
  attributes?: Record<string, unknown>;
  relationships?: Record<string, RelationshipObject>;
  links?: ResourceObject['links'];
  meta?: ItemMeta;
}

/** A resource of the document. */
interface Entry {
  readonly object: Shell;
  /** JSON path in the document. */
  readonly path: string;
  /** The projections that have written their members so far. */
  readonly projections: ResourceProjection[];
}

/** Returns the resource object of an entry after `fill`. */
function writtenObject({ object }: Entry): ResourceObject {
  return object as ResourceObject;
}

/** Adds the cursor of an item to its identifier, on a page between cursors (CP-12). */
function withCursor(identifier: Identifier, cursor: string | undefined): Identifier {
  return cursor === undefined ? identifier : { ...identifier, meta: { page: { cursor } } };
}

function withLinks(data: Linkage | undefined, links: RelationshipLinks): RelationshipObject {
  return data === undefined ? { links } : { data, links };
}
