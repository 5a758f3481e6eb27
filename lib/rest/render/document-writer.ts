import { ApiError } from '../../errors/api-error.js';
import { formatId } from '../../model/resource-id.js';
import { type Resource } from '../../model/resource-model.js';
import { annotationOf, encodeScalar } from '../../wire/encode-scalar.js';
import { type Annotation, type Serialization } from '../../wire/serialization.js';
import { type ResourceShape } from '../parse/resource-shape.js';
import { type RestContext } from '../parse/rest-context.js';
import { type CompiledAttribute, type CompiledRelationship, compileShape } from './compile-shape.js';
import { type Identifier, type Linkage, type RelationshipLinks, type RelationshipObject, type ResourceObject } from './document.js';
import { relationshipUrls, resourceUrl } from './resource-urls.js';
import { type Row } from './row.js';

/**
 * Writes the resource objects of one document, each resource once (DS-17): one that is reached again, by whatever path, gains the linkage
 * that the new path leads along, so that every included resource is linked to (DS-16).
 */
export class DocumentWriter {
  /** The resources beside the primary data, in the order in which they are first reached. */
  readonly included: ResourceObject[] = [];
  private readonly entries = new Map<Resource, Map<string | number, Entry>>();
  private readonly annotations: Record<string, Annotation> = {};

  constructor(private readonly context: RestContext) {}

  /** Writes primary data. Its resources are known before the first is walked, so that none of them is included as well. */
  writePrimary(rows: readonly Row[], shape: ResourceShape, pathOf: (index: number) => string): readonly ResourceObject[] {
    const entries = rows.map((row, index) => this.enter(this.identify(shape.resource, row), shape.resource, pathOf(index)));
    for (const [index, row] of rows.entries()) {
      const entry = entries[index];
      if (entry) this.fill(entry, row, shape);
    }
    return entries.map(({ object }) => object as ResourceObject);
  }

  /** Writes a resource beside the primary data, unless it is in the document already. */
  include(row: Row, shape: ResourceShape): Identifier {
    const identifier = this.identify(shape.resource, row);
    let entry = this.entries.get(shape.resource)?.get(identifier.id);
    if (!entry) {
      entry = this.enter(identifier, shape.resource, `included.${this.included.length}`);
      this.requireRoom(this.included.push(entry.object as ResourceObject));
    }
    this.fill(entry, row, shape);
    return identifier;
  }

  /** Type and id of a row. */
  identify(resource: Resource, row: Row): Identifier {
    const { strict, idDivider } = this.context.settings;
    const id = formatId(resource.identifier, row, idDivider);
    return { type: resource.type, id: strict ? String(id) : id };
  }

  /** The types that JSON lacks; undefined where there are none. */
  serialization(): Serialization | undefined {
    return Object.keys(this.annotations).length > 0 ? { values: this.annotations } : undefined;
  }

  private enter({ type, id }: Identifier, resource: Resource, path: string): Entry {
    const entry: Entry = { object: { type, id }, path, shapes: [] };
    const ofType = this.entries.get(resource) ?? new Map<string | number, Entry>();
    this.entries.set(resource, ofType.set(id, entry));
    return entry;
  }

  private fill(entry: Entry, row: Row, shape: ResourceShape): void {
    if (entry.shapes.includes(shape)) return;
    const { attributes, relationships } = compileShape(shape);
    const { object } = entry;
    const self = resourceUrl(shape.resource, object.id, this.context.settings);
    if (entry.shapes.length === 0) this.writeAttributes(entry, row, attributes);
    entry.shapes.push(shape);
    for (const relationship of relationships) this.writeRelationship(object, row, { relationship, self });
    object.links = { self };
  }

  private writeAttributes({ object, path }: Entry, row: Row, attributes: readonly CompiledAttribute[]): void {
    if (attributes.length === 0) return;
    const written: Record<string, unknown> = {};
    for (const attribute of attributes) {
      const value = row[attribute.name];
      written[attribute.member] = attribute.isJson ? value : this.writeValue(value, attribute, `${path}.attributes.${attribute.member}`);
    }
    object.attributes = written;
  }

  private writeValue(value: unknown, attribute: CompiledAttribute, path: string): unknown {
    if (typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined) return value;
    if (Array.isArray(value)) return value.map((element, index) => this.writeValue(element, attribute, `${path}.${index}`));
    const annotation = annotationOf(value, 'base64');
    if (!annotation) return value;
    if (attribute.hasPath) this.annotations[path] = annotation;
    return encodeScalar(value, 'base64');
  }

  private writeRelationship(object: Shell, row: Row, { relationship, self }: RelationshipOf): void {
    const { member, shape, shown, included } = relationship;
    const data = included
      ? this.includeRelated(row, relationship, included)
      : this.linkage(relationship.keyOf(row), shape.relationship.target);
    if (!shown) return;
    const relationships = (object.relationships ??= {});
    if (included) relationships[member] = { data: data ?? null };
    else if (!Object.hasOwn(relationships, member)) relationships[member] = withLinks(data, relationshipUrls(self, relationship.path));
  }

  /** Linkage to the related resources, which are thereby in the document. */
  private includeRelated(row: Row, { shape, keyOf }: CompiledRelationship, included: ResourceShape): Linkage | undefined {
    const { name, many, target } = shape.relationship;
    const related = row[name];
    if (many) {
      const rows = (related ?? []) as readonly Row[];
      this.requireRoom(rows.length);
      return rows.map((one) => this.include(one, included));
    }
    // One that the caller may not see is not in the document, but the row says that it is there.
    return related ? this.include(related as Row, included) : this.linkage(keyOf(row), target);
  }

  private linkage(key: Row | null | undefined, target: Resource): Identifier | null | undefined {
    return key ? this.identify(target, key) : key;
  }

  private requireRoom(count: number): void {
    const { maxTake } = this.context.limits;
    if (count > maxTake) throw new ApiError('limit-exceeded', `An answer holds at most ${maxTake} included resources (limits.maxTake).`);
  }
}

/** A resource object in the making. */
interface Shell extends Identifier {
  attributes?: Record<string, unknown>;
  relationships?: Record<string, RelationshipObject>;
  links?: ResourceObject['links'];
}

/** A resource of the document. */
interface Entry {
  readonly object: Shell;
  /** Where it is in the document. */
  readonly path: string;
  /** The shapes that it has been written by. */
  readonly shapes: ResourceShape[];
}

interface RelationshipOf {
  readonly relationship: CompiledRelationship;
  /** URL of the resource. */
  readonly self: string;
}

function withLinks(data: Linkage | undefined, links: RelationshipLinks): RelationshipObject {
  return data === undefined ? { links } : { data, links };
}
