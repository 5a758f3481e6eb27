import { ApiError } from '../../../errors/api-error.js';
import { isHttpException } from '../../../errors/from-http-exception.js';
import { readApplicationValue } from '../../../model/read-application-value.js';
import type { ServerValue } from './compile-server-values.js';

/** Error of an application function that returns no valid value for its field. The response is 500, and the log names the place in the options. */
export class ServerValueError extends Error {
  override readonly name = 'ServerValueError';

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
  }
}

/**
 * Calls the application's function for the value of one record.
 *
 * @param request the request object of the platform
 * @returns the value in the form that the data client accepts
 * @throws ServerValueError if the function throws or returns no value of the field's type; an HttpException or ApiError of the application is
 * rethrown
 */
export async function makeServerValue({ place, make, field }: ServerValue, request: unknown): Promise<unknown> {
  let given: unknown;
  try {
    given = await make(request);
  } catch (cause) {
    if (cause instanceof ApiError || isHttpException(cause)) throw cause;
    throw new ServerValueError(place, `threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
  return readApplicationValue(field, given, (problem) => {
    throw new ServerValueError(place, problem);
  });
}
