import { storedModel } from '../../model/storage/stored-model.js';
import type { Storage } from '../../model/storage/storage.js';
import type { Resource } from '../../model/surface/surface.js';
import { fieldNamed } from '../../query/fields.js';
import type { Order } from '../../query/order.js';

/** A total order of rows: by the primary key, hidden or not; a model without one is told apart by its id. */
export function keyOrder({ model, identifier }: Resource, storage: Storage): Order {
  const stored = storedModel(storage, model);
  const names = stored.primaryKey?.fields ?? identifier.fields.map(({ name }) => name);
  return names.map((name) => ({ kind: 'field-term', path: [], field: fieldNamed(stored, name), direction: 'asc' }));
}
