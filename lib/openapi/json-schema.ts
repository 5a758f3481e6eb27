/** A JSON Schema (draft 2020-12, as in OpenAPI 3.1), with the keywords that this package writes. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: JsonSchemas;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

export type JsonSchemas = Readonly<Record<string, JsonSchema>>;

type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/** Returns an object schema. `required` lists the properties that are always present. */
export function objectOf(properties: JsonSchemas, required: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** Returns an object schema with the members of another one and its own. */
export function withMembers(schema: JsonSchema | undefined, members: readonly (readonly [string, JsonSchema])[]): JsonSchema {
  if (schema === undefined) return objectOf(Object.fromEntries(members));
  return members.length === 0 ? schema : { allOf: [schema, objectOf(Object.fromEntries(members))] };
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

/** Returns the schema of one value or a list of values. */
export function oneOrMany(items: JsonSchema): JsonSchema {
  return { anyOf: [items, arrayOf(items)] };
}

/** Adds null to a schema, because OpenAPI 3.1 has no `nullable`. */
export function nullable(schema: JsonSchema): JsonSchema {
  if (isAnything(schema)) return schema;
  const { type, enum: values, ...others } = schema;
  if (type === undefined || schema.const !== undefined) return { anyOf: [schema, { type: 'null' }] };
  const types: readonly JsonType[] = typeof type === 'string' ? [type] : type;
  return { type: [...types, 'null'], ...others, ...(values && { enum: [...values, null] }) };
}

/** Adds the documentation comment of the Prisma schema as the description. */
export function described(schema: JsonSchema, { documentation }: { readonly documentation?: string }): JsonSchema {
  return documentation === undefined ? schema : { ...schema, description: documentation };
}

/** Whether a schema accepts every value. */
function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description' || keyword === 'examples');
}
