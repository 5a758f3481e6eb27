import { anyDriverErrorOf } from './driver-error.js';
import { memberOf } from './member-of.js';

/** Whether no connection to the database was available before the timeout. Nothing can have been written. */
export function isUnreachable(error: unknown): boolean {
  return textsOf(error).some((text) => UNREACHABLE.test(text)) || codesOf(error).some((code) => UNREACHABLE_CODES.has(code));
}

/** Whether the connection was lost or the database did not respond. Statements in flight may have been executed. */
export function isConnectionLost(error: unknown): boolean {
  return textsOf(error).some((text) => LOST.test(text)) || codesOf(error).some((code) => LOST_CODES.has(code));
}

/** Returns the messages of an error, because node-postgres has no code for some faults. Prisma wraps errors of the MariaDB driver. */
function textsOf(error: unknown): readonly string[] {
  return [memberOf(error, 'message'), memberOf(anyDriverErrorOf(error), 'originalMessage')].filter((text) => typeof text === 'string');
}

/** Returns the codes of an error. A failed savepoint of Prisma has no code, only the `kind` of the adapter. */
function codesOf(error: unknown): readonly string[] {
  return [memberOf(error, 'code'), memberOf(anyDriverErrorOf(error), 'kind')].filter((code) => typeof code === 'string');
}

const UNREACHABLE_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'P1001',
  'P1002',
  'P2024',
  'DatabaseNotReachable',
]);
const UNREACHABLE = /^timeout exceeded when trying to connect|pool timeout|connect (?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH)/i;

const LOST_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'P1008',
  'P1017',
  'ConnectionClosed',
  'SocketTimeout',
]);
const LOST = /^(?:connection terminated|query read timeout|client has encountered a connection error|server has closed the connection)/i;
