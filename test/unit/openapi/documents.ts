import { buildResourceModel, type ResourceModelOptions } from '../../../lib/model/build-resource-model.js';
import type { ResourceSchema } from '../../../lib/model/schema/resource-schema.js';
import { createOpenApiDocument } from '../../../lib/module/openapi-documents.js';
import type { OpenApiOptions } from '../../../lib/openapi/create-document.js';
import type { OpenApiDocument, Operation } from '../../../lib/openapi/open-api.js';

/** The document of a schema, with both styles. */
export function documentOf(schema: ResourceSchema, options: ResourceModelOptions = {}, openApi: OpenApiOptions = {}): OpenApiDocument {
  return createOpenApiDocument(buildResourceModel(schema, options).model, openApi);
}

/** Every operation as `GET /rest/post`. */
export function operationsOf({ paths }: OpenApiDocument): ReadonlyMap<string, Operation> {
  const methods = ['get', 'post', 'patch', 'put', 'delete'] as const;
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [[`${method.toUpperCase()} ${path}`, operation] as const] : [];
    }),
  );
  return new Map(entries);
}

/** A part of a document by its reference. */
export function resolve(document: OpenApiDocument, { $ref = '' }: { readonly $ref?: string }): unknown {
  const keys = $ref.split('/').slice(1);
  return keys.reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>>)[key], document);
}
