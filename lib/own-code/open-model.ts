import { buildResourceModel } from '../model/build-resource-model.js';
import type { ResourceModel } from '../model/resource-model.js';
import type { ResourceSchema, SchemaField, SchemaModel } from '../model/schema/resource-schema.js';

const models = new WeakMap<ResourceSchema, ResourceModel>();

/** All models and fields of a schema, for code of the host: what is hidden from clients among them. */
export function openModel(schema: ResourceSchema): ResourceModel {
  const known = models.get(schema);
  if (known) return known;
  const opened = Object.fromEntries(Object.entries(schema.models).map(([name, model]) => [name, withoutComments(model)]));
  const { model } = buildResourceModel({ ...schema, models: opened });
  models.set(schema, model);
  return model;
}

function withoutComments({ api: _, fields, ...model }: SchemaModel): SchemaModel {
  return { ...model, fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, withoutComment(field)])) };
}

function withoutComment({ api: _, ...field }: SchemaField): SchemaField {
  return field;
}
