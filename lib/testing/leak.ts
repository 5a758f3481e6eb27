/** One place where a field that should be hidden shows. */
export interface Leak {
  /** What was asked, e.g. `REST filter[passwordHash$startsWith]`, `RPC user/findMany orderBy.passwordHash`. */
  readonly surface: string;
  /** What came of it, e.g. `accepted with 200`. */
  readonly finding: string;
}

/** What came of a probe, unless it proves that nothing shows: a leak, or a fault of the application, which proves nothing. */
export interface ProbeOutcome extends Leak {
  readonly isFault?: true;
}

/** Returns the outcome of a request that the application failed to answer. */
export function faultOf(surface: string, status: number): ProbeOutcome {
  return { surface, finding: `failed with ${status}`, isFault: true };
}

/** Thrown by `assertNoLeak`: names every surface that accepts or reveals the field. */
export class LeakError extends Error {
  override readonly name = 'LeakError';

  constructor(
    field: string,
    readonly leaks: readonly Leak[],
    faults: readonly Leak[] = [],
  ) {
    const failed = faults.length === 0 ? '' : `\n${faultText(field, faults)}`;
    super(`${field} is not hidden. ${leaks.length} surface(s) accept or reveal it:\n${linesOf(leaks)}${failed}`);
  }
}

/** Explains that requests have failed, so that they prove nothing. */
export function faultText(field: string, faults: readonly Leak[]): string {
  return (
    `${faults.length} request(s) failed, which proves nothing about ${field}. The log of the application has the cause of each: mend it, and run this again.` +
    `\n${linesOf(faults)}`
  );
}

function linesOf(leaks: readonly Leak[]): string {
  return leaks.map(({ surface, finding }) => `- ${surface}: ${finding}`).join('\n');
}
