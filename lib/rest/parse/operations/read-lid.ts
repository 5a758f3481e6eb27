import { bodyError } from '../body-error.js';

/**
 * The `lid` of an object of an operation, which stands where the id is left out (AO-23).
 *
 * @param pointer that of the object
 * @returns undefined where there is none
 * @throws ApiError `invalid-payload`
 */
export function readLid(object: Readonly<Record<string, unknown>>, pointer: string): string | undefined {
  const { id, lid } = object;
  if (lid === undefined) return undefined;
  if (typeof lid !== 'string') throw bodyError('invalid-payload', `${pointer}/lid`, 'A lid must be a string.');
  if (id === undefined || id === null) return lid;
  throw bodyError('invalid-payload', `${pointer}/lid`, 'A lid stands where the id is left out: give one of them.');
}
