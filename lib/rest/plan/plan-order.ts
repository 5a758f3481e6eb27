import type { Storage } from '../../model/storage/storage.js';
import { storedField, storedHop } from '../../model/storage/stored-model.js';
import type { Order } from '../../query/order.js';
import type { SortKey } from '../parse/resource-query.js';

/** The order that a client has asked for. */
export function planOrder(sort: readonly SortKey[], storage: Storage): Order {
  return sort.map((key) => {
    const path = key.path.map((relationship) => storedHop(storage, relationship));
    const { direction } = key;
    return key.kind === 'attribute'
      ? { kind: 'field-term', path, field: storedField(storage, key.attribute), direction }
      : { kind: 'count-term', path, counted: storedHop(storage, key.relationship), direction };
  });
}
