/** One place where a field that should be hidden shows. */
export interface Leak {
  /** What was asked, e.g. `REST filter[passwordHash$startsWith]`, `RPC user/findMany orderBy.passwordHash`. */
  readonly surface: string;
  /** What came of it, e.g. `accepted with 200`. */
  readonly finding: string;
}

/** Thrown by `assertNoLeak`: names every surface that accepts or reveals the field. */
export class LeakError extends Error {
  override readonly name = 'LeakError';

  constructor(
    field: string,
    readonly leaks: readonly Leak[],
  ) {
    const lines = leaks.map(({ surface, finding }) => `- ${surface}: ${finding}`);
    super(`${field} is not hidden. ${leaks.length} surface(s) accept or reveal it:\n${lines.join('\n')}`);
  }
}
