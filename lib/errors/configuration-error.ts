import { shareInstances } from './share-instances.js';

/**
 * Error at boot: the options and the schema contradict each other. The message contains the problem and the remedy.
 *
 * @example
 * throw new ConfigurationError("resources names 'Pots', which is no model.", "Did you mean 'Post'?");
 */
export class ConfigurationError extends Error {
  static {
    shareInstances(this, 'ConfigurationError');
  }

  override readonly name = 'ConfigurationError';
  /** The single errors if there are several. The message has a line for each. */
  readonly problems: readonly ConfigurationError[];

  constructor(
    problem: string,
    /** The remedy, as one sentence. */
    readonly remedy: string,
    options: ErrorOptions & { readonly problems?: readonly ConfigurationError[] } = {},
  ) {
    super(`${problem} ${remedy}`, options);
    this.problems = options.problems ?? [];
  }
}
