import { ApiError, MAX_PROBLEMS, type Problem } from '../../../errors/api-error.js';
import { changeError } from '../../../errors/change-error.js';
import { memberPointer } from '../body-error.js';

/** The member of a request that holds its operations. */
export const OPERATIONS = 'atomic:operations';

/** The place of them all. */
export const OPERATIONS_POINTER = `/${OPERATIONS}`;

/** The same error, whose pointers begin at the operation that it is about (AO-38). One without a place is about the operation as a whole. */
export function atOperation(error: ApiError, index: number): ApiError {
  const [first, ...others] = error.problems;
  return changeError(error, { source: atPlace(first, index).source, others: others.map((problem) => atPlace(problem, index)) });
}

/**
 * Maps the operations of a request, so that the answer names all that is wrong with any of them (AO-29).
 *
 * @throws ApiError with the problems of all operations that failed, each at its place
 */
export async function eachOperation<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const problems: Problem[] = [];
  for (const [index, item] of items.entries()) {
    try {
      results.push(await map(item, index));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      problems.push(...atOperation(error, index).problems);
      if (problems.length >= MAX_PROBLEMS) break;
    }
  }
  if (problems.length > 0) throw ApiError.of(problems);
  return results;
}

function atPlace({ source, ...problem }: Problem, index: number): Problem & Required<Pick<Problem, 'source'>> {
  const place = memberPointer(OPERATIONS_POINTER, index);
  if (source === undefined) return { ...problem, source: { pointer: place } };
  return { ...problem, source: 'pointer' in source ? { pointer: place + source.pointer } : source };
}
