import type { Attribute, Relationship, Resource } from '../surface/surface.js';
import type { Storage, StoredField, StoredModel, StoredRelation } from './storage.js';

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

/** An attribute as the database has it. One that the data client computes is not there. */
export function storedField(storage: Storage, { model, name }: Pick<Attribute, 'model' | 'name'>): StoredField {
  const field = storedModel(storage, model).fields.get(name);
  if (!field) throw new Error(`The storage has no field '${model}.${name}': both views are built from one schema.`);
  return field;
}

/** A relationship as the database has it, and the model that it leads to. */
export function storedHop(
  storage: Storage,
  relationship: Pick<Relationship, 'model' | 'name'>,
): { readonly relation: StoredRelation; readonly target: StoredModel } {
  const relation = storedRelation(storage, relationship);
  return { relation, target: storedModel(storage, relation.target) };
}
