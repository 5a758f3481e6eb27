import { readableMembers } from '../../rest/projection/readable-members.js';
import type { RestSettings } from '../../options/rest-settings.js';
import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import { memoizeByObject } from '../../utils/memoize-by-object.js';
import { type Components, serializationSchema, SHARED } from '../components.js';
import { arrayOf, described, type JsonSchema, type JsonSchemas, nullable, objectOf } from '../json-schema.js';
import type { DescribedStyle } from '../described-api.js';
import type { Reference, Response } from '../open-api.js';
import { ValueSchemas } from '../value-schemas.js';

/** Builds schemas of REST responses: documents, resource objects and linkage. */
export class RestSchemas {
  readonly #values: ValueSchemas;

  constructor(
    readonly components: Components,
    private readonly style: DescribedStyle<RestSettings>,
  ) {
    this.#values = new ValueSchemas(components, style.surface);
  }

  /** Returns the document of one resource, or of null for an empty to-one relationship. */
  document(resource: Resource, mayBeNull = false): Reference {
    return this.components.schemaOf(resource, `Document${mayBeNull ? 'OrNull' : ''}`, () => {
      const data = this.resource(resource);
      return this.#document(mayBeNull ? nullable(data) : data, 'Document');
    });
  }

  /** Returns the document of a page of resources. */
  collection(resource: Resource): Reference {
    return this.components.schemaOf(resource, 'Collection', () => this.#document(arrayOf(this.resource(resource)), 'Page'));
  }

  /** Returns the document of resource linkage, which is the response of a relationship's URL. */
  linkage({ many, target }: Relationship): Reference {
    return this.components.schemaOf(target, `${many ? 'Identifiers' : 'IdentifierOrNull'}Document`, () => {
      const identifier = this.identifier(target);
      return many ? this.#document(arrayOf(identifier), 'Page') : this.#document(nullable(identifier), 'RelationshipDocument');
    });
  }

  /** Returns the schema of a resource object. No attribute or relationship is required, because sparse fieldsets may omit it. */
  resource(resource: Resource): JsonSchema {
    return this.components.schemaOf(resource, 'Resource', () => this.#resource(resource));
  }

  /** Returns the schema of a resource identifier object. */
  identifier(resource: Resource): JsonSchema {
    return this.components.schemaOf(resource, 'Identifier', () =>
      objectOf({ type: { const: resource.type }, id: this.id(resource), meta: this.#itemMeta() }, ['type', 'id']),
    );
  }

  /**
   * Returns the schema of `id` in responses: a number for a key of one Int or Float. It is a string for other keys and in strict mode.
   */
  id({ identifier }: Resource): JsonSchema {
    const [only, ...others] = identifier.fields;
    const isNumber = !this.style.settings.strict && others.length === 0 && (only?.type === 'Int' || only?.type === 'Float');
    return { type: isNumber ? (only.type === 'Int' ? 'integer' : 'number') : 'string' };
  }

  #resource(resource: Resource): JsonSchema {
    const { attributes, relationships } = readableMembers(resource, this.style.settings.strict);
    const properties: JsonSchemas = {
      type: { const: resource.type },
      id: this.id(resource),
      ...(attributes.length > 0 && { attributes: this.#attributes(resource, attributes) }),
      ...(relationships.length > 0 && { relationships: members(relationships, (one) => this.#relationship(one)) }),
      links: this.#links('ResourceLinks', ['self']),
      meta: resource.version ? this.components.shared('VersionMeta', { etag: ETAG, page: ITEM_PAGE }, ['etag']) : this.#itemMeta(),
    };
    return described(objectOf(properties, ['type', 'id', 'links']), resource);
  }

  #itemMeta(): JsonSchema {
    return this.components.shared('ItemMeta', { page: ITEM_PAGE });
  }

  #attributes({ model }: Resource, attributes: readonly Attribute[]): Reference {
    const schema = members(attributes, (attribute) => this.#values.field(attribute, 'answer'));
    return this.components.commonSchema(`${model}Attributes`, schema);
  }

  #relationship({ many, target }: Relationship): JsonSchema {
    return this.components.schemaOf(target, many ? 'ToMany' : 'ToOne', () => {
      const identifier = this.identifier(target);
      return many
        ? objectOf({ data: arrayOf(identifier), links: this.#windowLinks(), meta: this.#windowMeta() })
        : objectOf({ data: nullable(identifier), links: this.#links('RelationshipLinks', ['self', 'related']) });
    });
  }

  /** Returns the schema of a document. Documents of one kind share their other members. */
  #document(data: JsonSchema, kind: DocumentKind): JsonSchema {
    const others = this.components.schema(`${kind}Members`, this, () => this.#others(kind));
    return { allOf: [objectOf({ data }, ['data']), others] };
  }

  #others(kind: DocumentKind): JsonSchema {
    const properties: JsonSchemas = {
      included: arrayOf(this.#included()),
      jsonapi: this.components.shared('JsonApi', { version: { const: '1.1' } }, ['version']),
      links: kind === 'Page' ? this.#pageLinks() : this.#documentLinks(`${kind}Links`, ...(kind === 'Document' ? [] : ['related'])),
      meta: this.#meta(kind === 'Page'),
    };
    return objectOf(properties, ['jsonapi', 'links']);
  }

  /** Returns the schema of an included resource. It allows any readable resource, because the request decides which ones are included. */
  #included(): JsonSchema {
    return this.components.schema('IncludedResource', this, () => ({
      anyOf: this.style.surface.resources.filter(({ actions }) => actions.has('read')).map((resource) => this.resource(resource)),
    }));
  }

  #meta(hasTotal: boolean): JsonSchema {
    const serialization = serializationSchema(this.components);
    if (!hasTotal) return this.components.shared('DocumentMeta', { serialization });
    const total: JsonSchema = { type: 'integer', minimum: 0, description: 'Resources in the whole collection, not only on this page.' };
    return this.components.shared('CollectionMeta', { total, page: PAGE_META, serialization });
  }

  #pageLinks(): JsonSchema {
    const links = { self: SELF, related: URL, first: URL, last: URL, prev: nullable(URL), next: nullable(URL) };
    return this.components.shared('PageLinks', links, ['self']);
  }

  #windowLinks(): JsonSchema {
    const links = { self: URL, related: URL, first: URL, last: URL, prev: nullable(URL), next: nullable(URL) };
    return this.components.shared('ToManyLinks', links, ['self', 'related']);
  }

  /** Returns the schema of `meta` for a windowed to-many relationship: `includePage`, `includeSort`, `includeFilter`. */
  #windowMeta(): JsonSchema {
    const total: JsonSchema = { type: 'integer', minimum: 0, description: 'All members that meet the filter.' };
    const partial: JsonSchema = { const: true, description: 'Not all members of the relationship are shown.' };
    return this.components.shared('WindowMeta', { total, page: PAGE_META, partial });
  }

  #documentLinks(name: string, ...others: readonly string[]): JsonSchema {
    const links = Object.fromEntries(others.map((link) => [link, URL]));
    return this.components.shared(name, { self: SELF, ...links }, ['self', ...others]);
  }

  #links(name: string, links: readonly string[]): JsonSchema {
    return this.components.shared(name, Object.fromEntries(links.map((link) => [link, URL])), links);
  }
}

type DocumentKind = 'Document' | 'RelationshipDocument' | 'Page';

const URL: JsonSchema = { type: 'string' };

/** The URL of a document, with its media type if that has the cursor profile. */
const SELF: JsonSchema = {
  anyOf: [URL, objectOf({ href: URL, type: { type: 'string', description: 'With the profile of cursors.' } }, ['href', 'type'])],
};

const ETAG: JsonSchema = { type: 'string', description: 'The version, for If-Match.' };

/** The `page` member of an item's `meta`, on pages with cursors. */
const ITEM_PAGE: JsonSchema = objectOf({ cursor: { type: 'string', description: 'Falls on this item.' } }, ['cursor']);

const PAGE_META: JsonSchema = objectOf({
  total: { type: 'integer', minimum: 0, description: 'The same as beside it, on pages of cursors.' },
  estimatedTotal: {
    ...objectOf({ bestGuess: { type: 'integer', minimum: 0 } }, ['bestGuess']),
    description: 'In place of the total.',
  },
  rangeTruncated: { const: true, description: 'There is more between the two cursors than the page shows.' },
});

/** Returns an object schema of fields by name, with their documentation. */
function members<Field extends Attribute | Relationship>(fields: readonly Field[], schemaOf: (field: Field) => JsonSchema): JsonSchema {
  return objectOf(Object.fromEntries(fields.map((field) => [field.member, described(schemaOf(field), field)])));
}

/** Media types of a whole collection, if exports are enabled. */
export const EXPORTS: Response['content'] = {
  'application/x-ndjson': {
    schema: { type: 'string', description: 'A resource object on each line; the last line says that all are there, or why not.' },
  },
  'text/csv': {
    schema: { type: 'string', description: 'A table with a header: the id, the attributes, and the ids of to-one relationships.' },
  },
};

/** Returns the response for `Prefer: return=minimal`, which JSON:API permits for these requests. */
export const asAsked = memoizeByObject((components: Components): Readonly<Record<string, Reference>> => {
  const description = 'It is as the request says: it prefers `return=minimal`.';
  return { 204: components.response('AsAsked', SHARED, () => ({ description })) };
});
