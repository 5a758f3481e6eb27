import { buildResourceModel, type ResourceModelOptions } from '../../../lib/model/build-resource-model.js';
import type { ResourceSchema } from '../../../lib/model/schema/resource-schema.js';
import { apiOfModel, createOpenApiDocument } from '../../../lib/module/openapi-documents.js';
import type { OpenApiOptions } from '../../../lib/openapi/create-document.js';
import type { DocumentedApi } from '../../../lib/openapi/described-api.js';
import type { OpenApiDocument, Operation } from '../../../lib/openapi/open-api.js';
import { belongsTo, hasMany, ID, modelOf, scalar, schemaOf } from '../model/schema-builder.js';

/** The document of a schema, with both styles. */
export function documentOf(schema: ResourceSchema, options: ResourceModelOptions = {}, openApi: OpenApiOptions = {}): OpenApiDocument {
  return createOpenApiDocument(buildResourceModel(schema, options).model, openApi);
}

/** Both styles of a schema, as a document describes them. */
export function apisOf(schema: ResourceSchema): readonly DocumentedApi[] {
  return [apiOfModel(buildResourceModel(schema).model)];
}

/** Models in a ring, each related to the next. */
export function manyModels(count: number): ResourceSchema {
  const names = Array.from({ length: count }, (_, index) => `Model${index}`);
  const models = names.map((name, index) => {
    const [next, last] = [names[(index + 1) % count] ?? '', names.at(index - 1) ?? ''];
    const fields = { id: ID, nextId: scalar('Int'), next: belongsTo(next, 'last', { fields: ['nextId'], relation: name }) };
    return [name, modelOf({ ...fields, last: hasMany(last, 'next', { relation: last }) })] as const;
  });
  return schemaOf(Object.fromEntries(models));
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
