/** A rule that gives no condition: an error of the host's, which answers 500 and is logged. It names the rule's place, e.g. `rules.Post.read`. */
export class RuleError extends Error {
  override readonly name = 'RuleError';

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
  }
}
