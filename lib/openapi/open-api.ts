import type { JsonSchema, JsonSchemas } from './json-schema.js';

/** An OpenAPI 3.1 document, with the parts that this package writes. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: OpenApiInfo;
  readonly servers?: readonly OpenApiServer[];
  readonly security?: readonly SecurityRequirement[];
  readonly tags: readonly OpenApiTag[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: OpenApiComponents;
}

export interface OpenApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  /** URL of the terms of service. */
  readonly termsOfService?: string;
  readonly contact?: OpenApiContact;
  readonly license?: OpenApiLicense;
}

/** Contact for questions about the API. */
interface OpenApiContact {
  readonly name?: string;
  readonly url?: string;
  readonly email?: string;
}

/** The license of the API, by its SPDX identifier or a URL: `{ name: 'MIT', identifier: 'MIT' }`. */
interface OpenApiLicense {
  readonly name: string;
  readonly identifier?: string;
  readonly url?: string;
}

export interface OpenApiServer {
  readonly url: string;
  readonly description?: string;
}

/** The names of security schemes that a caller uses together, each with its scopes; `{}` is an anonymous caller. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

export interface OpenApiTag {
  readonly name: string;
  readonly description?: string;
}

export type HttpMethod = 'get' | 'post' | 'patch' | 'put' | 'delete';

export type PathItem = Readonly<Partial<Record<HttpMethod, Operation>>> & { readonly parameters?: readonly (Parameter | Reference)[] };

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly style?: 'form' | 'deepObject' | 'simple';
  readonly explode?: boolean;
  readonly schema?: JsonSchema;
  /** Replaces {@link schema} for a value that is serialized in a media type. */
  readonly content?: Readonly<Record<string, MediaType>>;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface RequestBody {
  readonly required?: boolean;
  readonly description?: string;
  readonly content: Readonly<Record<string, MediaType>>;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string; readonly schema: JsonSchema }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface MediaType {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface Reference {
  readonly $ref: string;
}

/** A security scheme of OpenAPI, e.g. `{ type: 'http', scheme: 'bearer' }`. It is not checked or changed. */
export type SecurityScheme = Readonly<Record<string, unknown>>;

export interface OpenApiComponents {
  readonly schemas: JsonSchemas;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly requestBodies: Readonly<Record<string, RequestBody>>;
  readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
}
