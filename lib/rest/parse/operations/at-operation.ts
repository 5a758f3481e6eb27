import { ApiError, MAX_PROBLEMS, type Problem } from '../../../errors/api-error.js';
import { changeError } from '../../../errors/change-error.js';
import { memberPointer } from '../body-error.js';

/** The member of a request that contains its operations. */
export const OPERATIONS_MEMBER = 'atomic:operations';

/** JSON pointer to the operations. */
export const OPERATIONS_POINTER = `/${OPERATIONS_MEMBER}`;

/** Prefixes the pointers of an error with that of its operation (AO-38). A problem without a source gets the operation as its source. */
export function atOperation(error: ApiError, index: number): ApiError {
  const [first, ...others] = error.problems;
  return changeError(error, { source: atPlace(first, index).source, others: others.map((problem) => atPlace(problem, index)) });
}

/**
 * Maps the operations of a request in order, so that the error lists the faults of all of them (AO-29).
 *
 * @throws ApiError with the problems of all operations that failed, each with its pointer
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
