import { buildResourceModel, type ResourceModelOptions } from '../../../lib/model/build-resource-model.js';
import type { Field, Resource } from '../../../lib/model/surface/surface.js';
import type { ResourceSchema } from '../../../lib/model/schema/resource-schema.js';

/** The resource of a model that must be exposed. */
export function resourceOf(schema: ResourceSchema, model: string, resources: ResourceModelOptions['resources'] = {}): Resource {
  const resource = buildResourceModel(schema, { resources }).model.byModel.get(model);
  if (!resource) throw new Error(`There is no ${model}.`);
  return resource;
}

/** Returns the rights of a field, one letter a right (read, filter, sort, create, update: `rfscu`); `-` for a field that does not exist. */
export function lettersOf(field: Field | undefined): string {
  if (!field) return '-';
  const { read, filter, sort, create, update } = field.rights;
  const filterLetter = typeof filter === 'boolean' ? filter && 'f' : `f(${[...filter].join(',')})`;
  return [read && 'r', filterLetter, sort && 's', create && 'c', update && 'u'].filter(Boolean).join('');
}
