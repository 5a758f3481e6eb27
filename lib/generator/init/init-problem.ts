/** Why `init` cannot go on. The message says what to do, and ends with what to paste where there is something. */
export class InitProblem extends Error {
  override readonly name = 'InitProblem';
}
