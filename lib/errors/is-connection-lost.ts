import { anyDriverErrorOf } from './driver-error.js';
import { memberOf } from './member-of.js';

/** Whether there was no connection to the database, or none in time: nothing can have been written over it. */
export function isUnreachable(error: unknown): boolean {
  return textsOf(error).some((text) => UNREACHABLE.test(text)) || codesOf(error).some((code) => UNREACHABLE_CODES.has(code));
}

/** Whether the connection broke off, or the answer did not come: what was under way may have been done. */
export function isConnectionLost(error: unknown): boolean {
  return textsOf(error).some((text) => LOST.test(text)) || codesOf(error).some((code) => LOST_CODES.has(code));
}

/** node-postgres says some of it in words only; the MariaDB driver's errors come inside of Prisma's. */
function textsOf(error: unknown): readonly string[] {
  return [memberOf(error, 'message'), memberOf(anyDriverErrorOf(error), 'originalMessage')].filter((text) => typeof text === 'string');
}

/** Prisma gives an adapter's error no code where it makes a savepoint: then there is the adapter's own `kind` alone. */
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
