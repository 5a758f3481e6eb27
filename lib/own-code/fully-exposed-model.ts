import { buildResourceModel } from '../model/build-resource-model.js';
import { buildStorage } from '../model/storage/build-storage.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ResourceSchema, SchemaField, SchemaModel, SchemaScalarField } from '../model/schema/resource-schema.js';

const models = new WeakMap<ResourceSchema, ResourceModel>();

/** Returns a model that exposes every model and field of a schema, for code of the application. It is cached by schema. */
export function fullyExposedModel(schema: ResourceSchema): ResourceModel {
  const known = models.get(schema);
  if (known) return known;
  const opened = Object.fromEntries(Object.entries(schema.models).map(([name, model]) => [name, withoutComments(model)]));
  const named = { ...schema, models: opened };
  const { model } = buildResourceModel(named, { storage: buildStorage(named, versionsIn(schema)) });
  models.set(schema, model);
  return model;
}

/** Returns the version field of each model that has one (`/// @api.version`). Writes increment it; code of the application may write it as well. */
function versionsIn({ models: all }: ResourceSchema): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(all).flatMap(([model, { fields }]) =>
      Object.entries(fields).flatMap(([name, field]) => (field.kind === 'scalar' && field.version ? [[model, name] as const] : [])),
    ),
  );
}

function withoutComments({ api: _, fields, ...model }: SchemaModel): SchemaModel {
  return { ...model, fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withoutComment(field)])) };
}

function withoutComment({ api: _, ...field }: SchemaField): SchemaField {
  return field.kind === 'scalar' ? writable(field) : field;
}

function writable({ version: _, ...field }: SchemaScalarField): SchemaScalarField {
  return field;
}
