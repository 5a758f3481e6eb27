import { ConfigurationError } from './configuration-error.js';

/** Collects what is wrong with a configuration, so that its author is told everything at once rather than one thing a start. */
export class ConfigurationProblems {
  private readonly errors: ConfigurationError[] = [];

  /** Runs a check, and keeps a ConfigurationError that it throws: the result is `undefined` then. Anything else is thrown on. */
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

  /** @throws ConfigurationError with all that was kept; a single one as it is */
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
