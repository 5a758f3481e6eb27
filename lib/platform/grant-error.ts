/** A grant that says neither yes nor no: an error of the host's, which answers 500 and is logged. */
export class GrantError extends Error {
  override readonly name = 'GrantError';

  constructor(grant: string, problem: string, options?: ErrorOptions) {
    super(`grants.${grant} ${problem}`, options);
  }
}
