/**
 * Thrown at boot when the options and the schema do not fit together. Its message says what is wrong and what to change.
 *
 * @example
 * throw new ConfigurationError("resources names 'Pots', which is no model.", "Did you mean 'Post'?");
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(
    problem: string,
    /** What to change, as one sentence. */
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(`${problem} ${remedy}`, options);
  }
}
