import { ConfigurationError } from './configuration-error.js';

/** Collects all problems of a configuration, so that one start reports all of them. */
export class ConfigurationProblems {
  private readonly errors: ConfigurationError[] = [];

  /** Runs a check and collects its ConfigurationError; the result is then `undefined`. Any other error is thrown. */
  collect<Result>(check: () => Result): Result | undefined {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      this.errors.push(...(error.problems.length > 0 ? error.problems : [error]));
      return undefined;
    }
  }

  get found(): boolean {
    return this.errors.length > 0;
  }

  /**
   * Throws the collected errors, if any.
   *
   * @throws ConfigurationError with all collected errors, or the only one unchanged
   */
  throwAny(): void {
    const [first, ...others] = this.errors;
    if (!first) return;
    if (others.length === 0) throw first;
    throw new ConfigurationError(
      `The configuration has ${this.errors.length} problems.`,
      `Solve each of them:\n${this.errors.map(({ message }) => `- ${message}`).join('\n')}`,
      { problems: this.errors },
    );
  }
}
