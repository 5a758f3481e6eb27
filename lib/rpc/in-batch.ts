import { ApiError } from '../errors/api-error.js';

/** Maps the operations of a batch; an error tells which of them it is about (`callIndex`). */
export function inBatch<Item, Result>(items: readonly Item[], map: (item: Item) => Result): readonly Result[] {
  return items.map((item, callIndex) => {
    try {
      return map(item);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const [{ code, detail }, ...others] = error.problems;
      throw new ApiError(code, detail, { others, callIndex, cause: error });
    }
  });
}
