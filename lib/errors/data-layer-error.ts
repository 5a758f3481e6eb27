import { ApiError } from './api-error.js';
import {
  DATA_LAYER_REFUSED,
  DATA_LAYER_UNREACHABLE,
  type DataLayerRow,
  OTHER_DATA_LAYER_ERROR,
  PRISMA_CODES,
  SQL_STATES,
} from './data-layer-codes.js';
import { memberOf } from './member-of.js';

/**
 * What the data layer threw, as an {@link ApiError}; undefined for anything that no data layer throws.
 *
 * Told by shape, never by `instanceof`: the host's Prisma client, its ORM and its driver are copies of their own. Rules: decisions,
 * "Data-layer errors that mean refused by policy" and the codes under "REST details".
 */
export function dataLayerError(error: unknown): ApiError | undefined {
  if (!(error instanceof Error)) return undefined;
  return prismaError(error) ?? zenStackError(error) ?? driverError(error);
}

function prismaError(error: Error): ApiError | undefined {
  switch (error.name) {
    case 'PrismaClientKnownRequestError':
      return knownRequestError(error);
    case 'PrismaClientValidationError':
      return apiError({ code: 'query-error', detail: lastParagraph(error.message) }, error);
    case 'PrismaClientInitializationError':
      return apiError(DATA_LAYER_UNREACHABLE, error, textOf(error, 'errorCode'));
    case 'PrismaClientUnknownRequestError':
    case 'PrismaClientRustPanicError':
      return apiError({ code: 'unknown-error', detail: 'An unexpected error occurred.' }, error);
    default:
      return undefined;
  }
}

function knownRequestError(error: Error): ApiError {
  const code = textOf(error, 'code') ?? '';
  const sqlState = sqlStateOf(error);
  if (sqlState === '42501') return apiError(DATA_LAYER_REFUSED, error, sqlState);
  // ZenStack 2 speaks through Prisma's error class.
  if (code === 'P2004' && reasonOf(error) !== undefined) return apiError(DATA_LAYER_REFUSED, error, code);
  const row = PRISMA_CODES.get(code) ?? SQL_STATES.get(sqlState ?? '') ?? otherRow(code, error);
  return apiError(row, error, code);
}

/** Prisma's P1 codes say that the database cannot be used at all (missing, denied, unreachable): never the client's fault. */
function otherRow(code: string, error: Error): DataLayerRow {
  return code.startsWith('P1') || isUnreachable(error) ? DATA_LAYER_UNREACHABLE : OTHER_DATA_LAYER_ERROR;
}

/** ZenStack 3: `ORMError` with a `reason`, and the database's own code beside it. Its `name` is plain 'Error': its members tell it. */
function zenStackError(error: Error): ApiError | undefined {
  const isOrmError = error.name === 'ORMError' || 'rejectedByPolicyReason' in error;
  return isOrmError ? ormError(error, textOf(error, 'dbErrorCode')) : undefined;
}

function ormError(error: Error, code: string | undefined): ApiError {
  switch (textOf(error, 'reason') ?? '') {
    case 'rejected-by-policy':
      return apiError(DATA_LAYER_REFUSED, error, code);
    case 'not-found':
      return apiError(PRISMA_CODES.get('P2025') ?? OTHER_DATA_LAYER_ERROR, error, code);
    case 'invalid-input':
      return apiError({ code: 'query-error', detail: lastParagraph(error.message) }, error);
    case 'config-error':
    case 'internal-error':
      return apiError({ code: 'unknown-error', detail: 'An unexpected error occurred.' }, error);
    default:
      return apiError(SQL_STATES.get(code ?? '') ?? OTHER_DATA_LAYER_ERROR, error, code);
  }
}

/** A driver's own error: a SQLSTATE (raw queries), or a connection that failed. */
function driverError(error: Error): ApiError | undefined {
  if (isUnreachable(error)) return apiError(DATA_LAYER_UNREACHABLE, error);
  const code = textOf(error, 'code') ?? sqlStateOf(error);
  const row = SQL_STATES.get(code ?? '');
  return row && apiError(row, error, code);
}

/** No connection, or none in time. node-postgres says some of it in words only; the MariaDB driver's errors come inside of Prisma's. */
function isUnreachable(error: Error): boolean {
  const { message } = error;
  const inner = textOf(memberOf(memberOf(memberOf(error, 'meta'), 'driverAdapterError'), 'cause'), 'originalMessage') ?? '';
  return CONNECTION_CODES.test(textOf(error, 'code') ?? '') || CONNECTION_TEXTS.test(message) || CONNECTION_TEXTS.test(inner);
}

const CONNECTION_CODES = /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EHOSTUNREACH|EPIPE|ETIMEDOUT|EAI_AGAIN)$/;
const CONNECTION_TEXTS =
  /^(?:timeout exceeded when trying to connect|connection terminated|query read timeout)|pool timeout|connect (?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH)/i;

function apiError(row: DataLayerRow, cause: Error, code?: string): ApiError {
  const reason = reasonOf(cause);
  return new ApiError(row.code, row.detail, {
    cause,
    orm: { ...(code !== undefined && { code }) },
    ...(row.rejectedByPolicy && { rejectedByPolicy: true }),
    ...(isResultNotReadable(reason) && { reason: 'RESULT_NOT_READABLE' }),
    ...(row.code === 'unavailable' && { headers: { 'Retry-After': '1' } }),
  });
}

/** A write that succeeded and cannot be read back: ZenStack 2 and 3 name it differently. */
function isResultNotReadable(reason: string | undefined): boolean {
  return reason === 'RESULT_NOT_READABLE' || reason === 'cannot-read-back';
}

/** Prisma: `meta.driverAdapterError.cause.originalCode`; elsewhere `cause.originalCode`. */
function sqlStateOf(error: Error): string | undefined {
  const adapterError = memberOf(memberOf(error, 'meta'), 'driverAdapterError') ?? error;
  return textOf(memberOf(adapterError, 'cause'), 'originalCode');
}

function reasonOf(error: Error): string | undefined {
  return textOf(memberOf(error, 'meta'), 'reason') ?? textOf(error, 'rejectedByPolicyReason');
}

/** Of a validation error only its last paragraph: the ones before it are a code frame of the server (decisions, "RPC details"). */
function lastParagraph(message: string): string {
  const paragraphs = message.trim().split(/\n\s*\n/);
  return (paragraphs.at(-1) ?? '').replace(/\s+/g, ' ').trim();
}

function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}
