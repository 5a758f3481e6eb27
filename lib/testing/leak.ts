/** A request that reveals a hidden field or record. */
export interface Leak {
  /** The request, e.g. `REST filter[passwordHash$startsWith]`, `RPC user/findMany orderBy.passwordHash`. */
  readonly surface: string;
  /** The result, e.g. `accepted with 200`. */
  readonly finding: string;
}

/** The result of a probe that proves no secrecy: a leak, or a failure of the application. */
export interface ProbeOutcome extends Leak {
  readonly isFault?: true;
}

/** Returns the outcome of a request that the application failed to answer. */
export function faultOf(surface: string, status: number): ProbeOutcome {
  return { surface, finding: `failed with ${status}`, isFault: true };
}

/** Error of `assertNoLeak` with every surface that accepts or reveals the field. */
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

/** Returns a message about failed requests, which prove nothing. */
export function faultText(field: string, faults: readonly Leak[]): string {
  return (
    `${faults.length} request(s) failed, which proves nothing about ${field}. The log of the application has the cause of each: mend it, and run this again.` +
    `\n${linesOf(faults)}`
  );
}

function linesOf(leaks: readonly Leak[]): string {
  return leaks.map(({ surface, finding }) => `- ${surface}: ${finding}`).join('\n');
}
