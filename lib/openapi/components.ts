import { memberOf } from '../errors/member-of.js';
import type { Resource } from '../model/surface/surface.js';
import { arrayOf, type JsonSchema, type JsonSchemas, objectOf } from './json-schema.js';
import type { DocumentPart } from './document-parts.js';
import type { Parameter, Reference, RequestBody, Response } from './open-api.js';

/** Owner of the parts that are the same for every API and style of a document. */
export const SHARED: object = Object.freeze({});

/** The shared parts of a document under construction. Each is built once and referenced wherever it is needed. */
export class Components {
  /** Parts that are referenced but not built yet. Building them at once would not terminate, because models reference each other. */
  readonly #mentioned: (() => DocumentPart)[] = [];
  /** Owners of common schemas and parameters, by their texts. */
  readonly #common = new Map<string, object>();
  readonly #schemas: Section<JsonSchema>;
  readonly #parameters: Section<Parameter>;
  readonly #responses: Section<Response>;
  readonly #requestBodies: Section<RequestBody>;

  /** @param reserved names that another document uses, by section */
  constructor(reserved?: unknown) {
    this.#schemas = new Section('schemas', this.#mentioned, reserved);
    this.#parameters = new Section('parameters', this.#mentioned, reserved);
    this.#responses = new Section('responses', this.#mentioned, reserved);
    this.#requestBodies = new Section('requestBodies', this.#mentioned, reserved);
  }

  /**
   * Returns a reference to the schema of that name.
   *
   * @param owner what the name belongs to: if another owner has the name already, the schema gets a numbered name
   */
  schema(name: string, owner: object, build: () => JsonSchema): Reference {
    return this.#schemas.refer(name, owner, build);
  }

  /** Returns a reference to a schema of a model. Its name is that of the model and the suffix. */
  schemaOf(resource: Resource, suffix: string, build: () => JsonSchema): Reference {
    return this.#schemas.refer(suffix, resource, build, resource.model);
  }

  /** Returns a reference to an object schema that is the same for every API and style. */
  shared(name: string, properties: JsonSchemas, required: readonly string[] = []): Reference {
    return this.schema(name, SHARED, () => objectOf(properties, required));
  }

  parameter(name: string, owner: object, build: () => Parameter): Reference {
    return this.#parameters.refer(name, owner, build);
  }

  /** Returns a reference to a parameter that everything with the same description shares. */
  commonParameter(name: string, parameter: Parameter): Reference {
    return this.parameter(name, this.#ownerOf(parameter), () => parameter);
  }

  /** Returns a reference to a schema that everything with the same description shares, e.g. both styles. */
  commonSchema(name: string, schema: JsonSchema): Reference {
    return this.schema(name, this.#ownerOf(schema), () => schema);
  }

  #ownerOf(part: JsonSchema | Parameter): object {
    const text = JSON.stringify(part);
    const owner = this.#common.get(text) ?? {};
    this.#common.set(text, owner);
    return owner;
  }

  response(name: string, owner: object, build: () => Response): Reference {
    return this.#responses.refer(name, owner, build);
  }

  /** Returns a reference to a response with the given schema as its body. The response has the name of the schema. */
  responseOf(schema: Reference, owner: object, build: () => Response): Reference {
    return this.response(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1), owner, build);
  }

  requestBody(name: string, owner: object, build: () => RequestBody): Reference {
    return this.#requestBodies.refer(name, owner, build);
  }

  /** Builds all parts that are referenced, directly or by other parts. */
  *parts(): Generator<DocumentPart> {
    // Each part may add others.
    for (const build of this.#mentioned) yield build();
    this.#mentioned.length = 0;
  }
}

class Section<Part> {
  readonly #references = new Map<object, Map<string, Reference>>();
  readonly #names: Set<string>;

  constructor(
    private readonly section: string,
    private readonly mentioned: (() => DocumentPart)[],
    reserved: unknown,
  ) {
    this.#names = new Set(Object.keys(memberOf(reserved, section) ?? {}));
  }

  refer(name: string, owner: object, build: () => Part, prefix = ''): Reference {
    const own = this.#references.get(owner) ?? new Map<string, Reference>();
    this.#references.set(owner, own);
    const known = own.get(name);
    if (known) return known;
    const free = this.#reserve(prefix + name);
    const reference = { $ref: `#/components/${this.section}/${free}` };
    own.set(name, reference);
    this.mentioned.push(() => ({ section: this.section, name: free, value: build() }));
    return reference;
  }

  #reserve(name: string): string {
    let free = name;
    for (let number = 2; this.#names.has(free); number++) free = `${name}${number}`;
    this.#names.add(free);
    return free;
  }
}

/** Returns the schema of the metadata for values without a JSON type (specification, section 2, "Serialization of data types"). */
export function serializationSchema(components: Components): JsonSchema {
  return components.schema('Serialization', SHARED, () => ({
    ...objectOf(
      {
        values: {
          description: 'By the path of a value, its type, e.g. `["Date"]`; the type alone where all of the data is one value.',
          anyOf: [{ type: 'object', additionalProperties: arrayOf({}) }, arrayOf({})],
        },
        v: { type: 'integer', description: 'How paths escape dots: superjson 2.2 and later say 1.' },
      },
      ['values'],
    ),
    description: 'Types that JSON lacks, as superjson writes them. Clients that read fields by their known types may ignore it.',
  }));
}
