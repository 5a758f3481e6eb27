import { memberOf } from './member-of.js';

/**
 * Whether an error says that the query compiler of the data client, which is WebAssembly, has panicked. The reason may be in the query, or in the
 * client: then it fails others' requests too, and after enough of them all, until it is made anew.
 *
 * Prisma throws `PrismaClientRustPanicError` at first, and later whatever WebAssembly says whose memory is no longer sound. Told by shape, as
 * the host's client is a copy of its own.
 */
export function isClientBroken(error: unknown): boolean {
  for (let thrown = error, depth = 0; thrown !== undefined && depth < MAX_DEPTH; thrown = memberOf(thrown, 'cause'), depth++) {
    if (memberOf(thrown, 'name') === 'PrismaClientRustPanicError' || hasTrapped(thrown)) return true;
  }
  return false;
}

/** An error may be its own cause. */
const MAX_DEPTH = 5;

/** Only the last line of a message is the data layer's: those before it show the code, and so the arguments, of the call. */
function hasTrapped(error: unknown): boolean {
  const [name, message] = [memberOf(error, 'name'), memberOf(error, 'message')];
  if (typeof message !== 'string' || (name !== 'RuntimeError' && name !== 'PrismaClientUnknownRequestError')) return false;
  const lines = message.trimEnd().split('\n');
  return TRAP.test(lines.at(-1) ?? '') || hasFailedReport(lines);
}

/** Prisma writes a report of a panic, and fails where its adapter refers to itself: the error is then that of `JSON.stringify`. */
function hasFailedReport(lines: readonly string[]): boolean {
  return lines.slice(lines.lastIndexOf('') + 1)[0] === 'Converting circular structure to JSON';
}

/** What V8 calls the traps of WebAssembly that a panic leads to. */
const TRAP =
  /^(?:RuntimeError: )?(?:memory access out of bounds|unreachable|table index is out of bounds|null function or function signature mismatch)/;
