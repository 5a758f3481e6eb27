import type { Attribute, Relationship, Resource } from '../../model/surface/surface.js';
import { JSON_API_MEDIA_TYPE } from '../../rest/protocol/media-type.js';
import { isIdOnly } from '../../rest/parse/parse-document-id.js';
import type { RestSettings } from '../../options/rest-settings.js';
import { serializationSchema } from '../components.js';
import type { DocumentedApi, DescribedStyle } from '../described-api.js';
import { exampleId, exampleOf } from '../examples.js';
import { arrayOf, type JsonSchema, type JsonSchemas, nullable, objectOf } from '../json-schema.js';
import type { Reference, RequestBody } from '../open-api.js';
import { isRequired, ValueSchemas, WRITTEN_ID, writtenField } from '../value-schemas.js';
import type { RestSchemas } from './rest-schemas.js';

type WriteMode = 'create' | 'update';

/** Builds request bodies of the REST style. */
export class RestBodies {
  readonly #values: ValueSchemas;

  constructor(
    private readonly schemas: RestSchemas,
    private readonly api: DocumentedApi,
    private readonly style: DescribedStyle<RestSettings>,
  ) {
    this.#values = new ValueSchemas(schemas.components, style.surface);
  }

  /** Returns the body of `POST /:type` and of `PATCH /:type/:id`. */
  document(resource: Resource, mode: WriteMode): Reference {
    const name = `${resource.model}${mode === 'create' ? 'Create' : 'Update'}`;
    return this.schemas.components.requestBody(name, resource, () => {
      const schema = this.schemas.components.schema(`${name}Document`, resource, () => this.#document(resource, mode));
      return this.#body(schema, { document: { value: this.#example(resource, mode) } });
    });
  }

  /** Returns the body of requests to the URL of a relationship. */
  linkage(relationship: Relationship): Reference {
    const { many, optional, target } = relationship;
    const name = `${target.model}${many ? 'Identifiers' : optional ? 'IdentifierOrNull' : 'Identifier'}`;
    return this.schemas.components.requestBody(name, target, () => {
      const example = this.#exampleIdentifier(target);
      return this.#body(this.#linkage(relationship), {
        linkage: { value: { data: many ? [example] : example } },
      });
    });
  }

  #body(schema: JsonSchema, examples: NonNullable<RequestBody['content'][string]['examples']>): RequestBody {
    const media = { schema, examples };
    return {
      required: true,
      content: { [JSON_API_MEDIA_TYPE]: media, ...(!this.style.settings.strict && { 'application/json': { schema } }) },
    };
  }

  #document(resource: Resource, mode: WriteMode): JsonSchema {
    const attributes = this.#attributes(resource, mode);
    const relationships = this.#relationships(resource, mode);
    const data: JsonSchemas = {
      type: { const: resource.type },
      ...((mode === 'update' || resource.clientIds !== 'forbidden') && { id: WRITTEN_ID }),
      ...(Object.keys(attributes).length > 0 && { attributes: this.#attributesOf(resource, attributes, mode) }),
      ...(Object.keys(relationships).length > 0 && { relationships: objectOf(relationships) }),
    };
    const required = ['type', ...(mode === 'create' && resource.clientIds === 'required' ? ['id'] : [])];
    return objectOf({ data: objectOf(data, required), meta: this.#meta(resource, mode) }, ['data']);
  }

  #attributesOf(resource: Resource, attributes: JsonSchemas, mode: WriteMode): JsonSchema {
    const required = mode === 'create' ? this.#required(resource).map(({ member }) => member) : [];
    return objectOf(
      attributes,
      required.filter((member) => Object.hasOwn(attributes, member)),
    );
  }

  #attributes(resource: Resource, mode: WriteMode): JsonSchemas {
    const writable = writableAttributes(resource, mode, this.style.settings);
    const shape = this.api.shapeOf(resource, mode);
    return Object.fromEntries(writable.map((attribute) => [attribute.member, writtenField(attribute, this.#values, shape)]));
  }

  #relationships(resource: Resource, mode: WriteMode): JsonSchemas {
    return Object.fromEntries(
      writableRelationships(resource, mode).map((relationship) => [relationship.member, this.#linkage(relationship)]),
    );
  }

  /** Returns the schema of a written relationship. All relationships to a model share it. */
  #linkage({ many, optional, target }: Relationship): JsonSchema {
    const suffix = many ? 'ToManyInput' : optional ? 'ToOneOrNullInput' : 'ToOneInput';
    return this.schemas.components.schemaOf(target, suffix, () => {
      const identifier = this.#identifier(target);
      return objectOf({ data: many ? arrayOf(identifier) : optional ? nullable(identifier) : identifier }, ['data']);
    });
  }

  /** Returns the attributes that a create requires. */
  #required(resource: Resource): readonly Attribute[] {
    const shape = this.api.shapeOf(resource, 'create');
    return resource.attributes.filter((attribute) => isRequired(attribute, shape));
  }

  #identifier(target: Resource): JsonSchema {
    return this.schemas.components.schemaOf(target, 'IdentifierInput', () =>
      objectOf({ type: { const: target.type }, id: this.style.settings.strict ? { type: 'string' } : WRITTEN_ID }, ['type', 'id']),
    );
  }

  #meta(resource: Resource, mode: WriteMode): JsonSchema {
    const serialization = serializationSchema(this.schemas.components);
    if (mode === 'update' || !resource.actions.has('update')) {
      return this.schemas.components.shared('BodyMeta', { serialization });
    }
    return this.schemas.components.shared('CreateMeta', {
      operation: { type: 'string', enum: ['create', 'upsert'], description: '`upsert` updates the resource that `matchFields` finds.' },
      matchFields: { ...arrayOf({ type: 'string' }), description: 'Members that are unique together.' },
      serialization,
    });
  }

  #example(resource: Resource, mode: WriteMode): unknown {
    const all = writableAttributes(resource, mode, this.style.settings).filter(({ foreignKeyOf }) => foreignKeyOf.length === 0);
    const required = new Set(this.#required(resource));
    const shown = mode === 'create' ? all.filter((attribute) => required.has(attribute)) : all.slice(0, 1);
    const links = mode === 'create' ? this.#requiredLinks(resource) : [];
    return {
      data: {
        type: resource.type,
        ...(mode === 'create' &&
          resource.clientIds === 'required' && { id: exampleId(resource.identifier, this.style.settings.idDivider) }),
        attributes: Object.fromEntries(shown.map((attribute) => [attribute.member, exampleOf(attribute)])),
        ...(links.length > 0 && {
          relationships: Object.fromEntries(links.map(({ member, target }) => [member, { data: this.#exampleIdentifier(target) }])),
        }),
      },
    };
  }

  #requiredLinks(resource: Resource): readonly Relationship[] {
    return writableRelationships(resource, 'create').filter(({ many, optional, link }) => !many && !optional && link === 'own-key');
  }

  #exampleIdentifier({ type, identifier }: Resource): unknown {
    const id = exampleId(identifier, this.style.settings.idDivider);
    return { type, id: this.style.settings.strict ? String(id) : id };
  }
}

function writableAttributes(resource: Resource, mode: WriteMode, { strict }: RestSettings): readonly Attribute[] {
  return resource.attributes.filter((attribute) => {
    if (!attribute.rights[mode]) return false;
    if (isIdOnly(resource, attribute)) return false;
    return !strict || attribute.foreignKeyOf.length === 0;
  });
}

function writableRelationships(resource: Resource, mode: WriteMode): readonly Relationship[] {
  return resource.relationships.filter((relationship) => relationship.rights[mode] && relationship.linkable.update);
}
