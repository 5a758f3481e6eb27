import type { Attribute, Relationship, Resource } from '../surface/surface.js';
import type { Storage, StoredField, StoredModel, StoredRelation } from './storage.js';

/** Returns the stored model of a resource. */
export function storedModel({ byModel }: Storage, model: Resource['model']): StoredModel {
  const stored = byModel.get(model);
  if (!stored) throw new Error(`The storage has no model '${model}': both views are built from one schema.`);
  return stored;
}

/** Returns the stored relation of a relationship. */
export function storedRelation(storage: Storage, { model, name }: Pick<Relationship, 'model' | 'name'>): StoredRelation {
  const relation = storedModel(storage, model).relations.get(name);
  if (!relation) throw new Error(`The storage has no relation '${model}.${name}': both views are built from one schema.`);
  return relation;
}

/** Returns the stored field of an attribute. Computed attributes have none. */
export function storedField(storage: Storage, { model, name }: Pick<Attribute, 'model' | 'name'>): StoredField {
  const field = storedModel(storage, model).fields.get(name);
  if (!field) throw new Error(`The storage has no field '${model}.${name}': both views are built from one schema.`);
  return field;
}

/** Returns the stored relation of a relationship, with the stored model of its target. */
export function storedHop(
  storage: Storage,
  relationship: Pick<Relationship, 'model' | 'name'>,
): { readonly relation: StoredRelation; readonly target: StoredModel } {
  const relation = storedRelation(storage, relationship);
  return { relation, target: storedModel(storage, relation.target) };
}
