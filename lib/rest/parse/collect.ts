import { ApiError, MAX_PROBLEMS, type Problem } from '../../errors/api-error.js';

/**
 * Maps every item, so that the error lists all faults of a request and not only the first.
 *
 * @throws ApiError with the problems of all items that failed, if any did
 */
export function collect<Item, Result>(items: Iterable<Item>, read: (item: Item) => Result): Result[] {
  const results: Result[] = [];
  const problems: Problem[] = [];
  for (const item of items) {
    try {
      results.push(read(item));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(...error.problems);
      if (problems.length >= MAX_PROBLEMS) break;
    }
  }
  if (problems.length > 0) throw ApiError.of(problems);
  return results;
}

/** Runs named readers, with the errors of {@link collect}. */
export function collectAll<Readers extends Readonly<Record<string, () => unknown>>>(readers: Readers): Results<Readers> {
  const results: Record<string, unknown> = {};
  collect(Object.keys(readers), (name) => (results[name] = readers[name]?.()));
  return results as Results<Readers>;
}

type Results<Readers extends Readonly<Record<string, () => unknown>>> = { readonly [Name in keyof Readers]: ReturnType<Readers[Name]> };
