import { ApiError } from '../errors/api-error.js';
import { isHttpException } from '../errors/http-error.js';
import { readHostValue } from '../model/read-host-value.js';
import type { ServerValue } from './compile-server-values.js';
import { ServerValueError } from './server-value-error.js';

/**
 * Asks the host for the value of one record.
 *
 * @param request the platform's
 * @returns the value as the data client takes it
 * @throws ServerValueError where the function throws or gives no value of the field's type; the host's own HttpException and ApiError as they are
 */
export async function makeServerValue({ place, make, field }: ServerValue, request: unknown): Promise<unknown> {
  // The request is of the type that the host's function names.
  const given = await made(place, () => make(request as never));
  return readHostValue(field, given, (problem) => {
    throw new ServerValueError(place, problem);
  });
}

async function made(place: string, make: () => unknown): Promise<unknown> {
  try {
    return await make();
  } catch (cause) {
    if (cause instanceof ApiError || isHttpException(cause)) throw cause;
    throw new ServerValueError(place, `threw: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
