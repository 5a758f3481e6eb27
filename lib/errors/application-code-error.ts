/**
 * Error of a hook or an action that threw an unexpected error or returned an invalid value.
 * The message names the method. `cause` is the original error.
 */
export class ApplicationCodeError extends Error {
  override readonly name = 'ApplicationCodeError';

  /** @param place name of the method, e.g. `TaskHooks.check` */
  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
  }
}
