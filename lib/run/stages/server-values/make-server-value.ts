import { ApiError } from '../../../errors/api-error.js';
import { isHttpException } from '../../../errors/http-error.js';
import { readHostValue } from '../../../model/read-host-value.js';
import type { ServerValue } from './compile-server-values.js';

/** A function that gives no value of its field: an error of the host's, which answers 500 and is logged. It names the place in the options. */
export class ServerValueError extends Error {
  override readonly name = 'ServerValueError';

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
  }
}

/**
 * Asks the host for the value of one record.
 *
 * @param request the platform's
 * @returns the value as the data client takes it
 * @throws ServerValueError where the function throws or gives no value of the field's type; the host's own HttpException and ApiError as they are
 */
export async function makeServerValue({ place, make, field }: ServerValue, request: unknown): Promise<unknown> {
  let given: unknown;
  try {
    given = await make(request);
  } catch (cause) {
    if (cause instanceof ApiError || isHttpException(cause)) throw cause;
    throw new ServerValueError(place, `threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  return readHostValue(field, given, (problem) => {
    throw new ServerValueError(place, problem);
  });
}
