import type { Relationship, Resource } from '../surface/surface.js';
import type { Storage, StoredModel, StoredRelation } from './storage.js';

/** A resource as the database has it. */
export function storedModel({ byModel }: Storage, model: Resource['model']): StoredModel {
  const stored = byModel.get(model);
  if (!stored) throw new Error(`The storage has no model '${model}': both views are built from one schema.`);
  return stored;
}

/** A relationship as the database has it. */
export function storedRelation(storage: Storage, { model, name }: Pick<Relationship, 'model' | 'name'>): StoredRelation {
  const relation = storedModel(storage, model).relations.get(name);
  if (!relation) throw new Error(`The storage has no relation '${model}.${name}': both views are built from one schema.`);
  return relation;
}
