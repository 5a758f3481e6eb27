import { shareInstances } from './share-instances.js';

/**
 * Thrown at boot when the options and the schema do not fit together. Its message says what is wrong and what to change.
 *
 * @example
 * throw new ConfigurationError("resources names 'Pots', which is no model.", "Did you mean 'Post'?");
 */
export class ConfigurationError extends Error {
  static {
    shareInstances(this, 'ConfigurationError');
  }

  override readonly name = 'ConfigurationError';
  /** The single errors, where one start found several; each has its line in the message. */
  readonly problems: readonly ConfigurationError[];

  constructor(
    problem: string,
    /** What to change, as one sentence. */
    readonly remedy: string,
    options: ErrorOptions & { readonly problems?: readonly ConfigurationError[] } = {},
  ) {
    super(`${problem} ${remedy}`, options);
    this.problems = options.problems ?? [];
  }
}
