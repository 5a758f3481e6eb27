import { memberOf } from './member-of.js';

/** Whether there was no connection to the database, or none in time: nothing can have been written over it. */
export function isUnreachable(error: unknown): boolean {
  return textsOf(error).some((text) => UNREACHABLE.test(text)) || UNREACHABLE_CODES.has(String(memberOf(error, 'code')));
}

/** Whether the connection broke off, or the answer did not come: what was under way may have been done. */
export function isConnectionLost(error: unknown): boolean {
  return textsOf(error).some((text) => LOST.test(text)) || LOST_CODES.has(String(memberOf(error, 'code')));
}

/** node-postgres says some of it in words only; the MariaDB driver's errors come inside of Prisma's. */
function textsOf(error: unknown): readonly string[] {
  const adapterError = memberOf(memberOf(error, 'meta'), 'driverAdapterError') ?? error;
  const texts = [memberOf(error, 'message'), memberOf(memberOf(adapterError, 'cause'), 'originalMessage')];
  return texts.filter((text) => typeof text === 'string');
}

const UNREACHABLE_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'EAI_AGAIN',
  'P1001',
  'P1002',
  'P2024',
]);
const UNREACHABLE = /^timeout exceeded when trying to connect|pool timeout|connect (?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH)/i;

const LOST_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'P1008', 'P1017']);
const LOST = /^(?:connection terminated|query read timeout|client has encountered a connection error|server has closed the connection)/i;
