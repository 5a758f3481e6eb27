import { ApiError } from '../errors/api-error.js';
import { withCallIndex } from '../errors/with-call-index.js';

/** Maps the operations of a batch, and adds the index of the operation to an ApiError. */
export function inBatch<Item, Result>(items: readonly Item[], map: (item: Item, index: number) => Result): readonly Result[] {
  return items.map((item, index) => {
    try {
      return map(item, index);
    } catch (error) {
      throw error instanceof ApiError ? withCallIndex(error, index) : error;
    }
  });
}
