/** A function that gives no value of its field: an error of the host's, which answers 500 and is logged. It names the place in the options. */
export class ServerValueError extends Error {
  override readonly name = 'ServerValueError';

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
  }
}
