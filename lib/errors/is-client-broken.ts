import { causesOf } from './causes-of.js';
import { memberOf } from './member-of.js';

/**
 * Whether the query compiler of the data client, which is WebAssembly, has panicked. The cause may be the query or the client. A broken client also
 * fails queries of other requests, and finally all of them, until it is created anew.
 *
 * Prisma first throws `PrismaClientRustPanicError`, and later any error of WebAssembly with corrupted memory. Errors are recognised by shape, because
 * the application may load another copy of the Prisma client.
 */
export function isClientBroken(error: unknown): boolean {
  return causesOf(error).some((thrown) => memberOf(thrown, 'name') === 'PrismaClientRustPanicError' || hasTrapped(thrown));
}

/** Whether the last line of a message reports a trap. Earlier lines are ignored, because they repeat the call with its arguments. */
function hasTrapped(error: unknown): boolean {
  const [name, message] = [memberOf(error, 'name'), memberOf(error, 'message')];
  if (typeof message !== 'string' || (name !== 'RuntimeError' && name !== 'PrismaClientUnknownRequestError')) return false;
  const lines = message.trimEnd().split('\n');
  return TRAP.test(lines.at(-1) ?? '') || hasFailedReport(lines);
}

/** Whether Prisma's report of a panic failed. `JSON.stringify` throws if the adapter has a circular reference. */
function hasFailedReport(lines: readonly string[]): boolean {
  return lines.slice(lines.lastIndexOf('') + 1)[0] === 'Converting circular structure to JSON';
}

/** V8's messages for the WebAssembly traps that a panic causes. */
const TRAP =
  /^(?:RuntimeError: )?(?:memory access out of bounds|unreachable|table index is out of bounds|null function or function signature mismatch)/;
