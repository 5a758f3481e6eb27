/** A hook or an action of the host that throws something else than an answer, or returns what cannot be written. It names the method; `cause` is what it threw. */
export class OwnCodeError extends Error {
  override readonly name = 'OwnCodeError';

  /** @param place e.g. `TaskHooks.check` */
  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
  }
}
