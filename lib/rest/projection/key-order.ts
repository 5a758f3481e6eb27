import { storedModel } from '../../model/storage/stored-model.js';
import type { Storage } from '../../model/storage/storage.js';
import type { Resource } from '../../model/surface/surface.js';

/** The fields that give rows a total order: the primary key, hidden or not; a model without one is told apart by its id. */
export function keyOrder({ model, identifier }: Resource, storage: Storage): readonly string[] {
  return storedModel(storage, model).primaryKey?.fields ?? identifier.fields.map(({ name }) => name);
}
