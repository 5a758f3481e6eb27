import { adapterErrorOf, anyDriverErrorOf } from './driver-error.js';
import { ApiError, type Problem } from './api-error.js';
import { changeError } from './change-error.js';
import { ConfigurationError } from './configuration-error.js';
import {
  BROKEN,
  DATA_LAYER_BROKEN,
  DATA_LAYER_PANICKED,
  DATA_LAYER_REFUSED,
  DATA_LAYER_UNREACHABLE,
  type DataLayerRow,
  OTHER_DATA_LAYER_ERROR,
  PRISMA_CODES,
  SQL_STATE_CLASSES,
  SQL_STATES,
  UNREADABLE_COLUMN,
} from './data-layer-codes.js';
import { invalidValues } from './invalid-values.js';
import { isClientBroken } from './is-client-broken.js';
import { isConnectionLost, isUnreachable } from './is-connection-lost.js';
import { isResultNotReadable } from './is-result-not-readable.js';
import { isError } from './is-error.js';
import { memberOf } from './member-of.js';
import { cut } from './quote.js';
import { sentence } from './sentence.js';
import { isSqlState } from './sql-state.js';

/**
 * What the data layer threw, as an {@link ApiError}; undefined for anything that no data layer throws.
 *
 * Told by shape, never by `instanceof`: the host's Prisma client, its ORM and its driver are copies of their own. Rules: decisions,
 * "Data-layer errors that mean refused by policy" and the codes under "REST details".
 */
export function dataLayerError(error: unknown): ApiError | undefined {
  if (!isError(error)) return undefined;
  if (isClientBroken(error)) return apiError(DATA_LAYER_BROKEN, error);
  return prismaError(error) ?? zenStackError(error) ?? driverError(error);
}

/** What a panic over one query is to its client. */
export function panickedError(error: unknown): ApiError {
  return apiError(DATA_LAYER_PANICKED, isError(error) ? error : new Error('The data client has panicked.'));
}

function prismaError(error: Error): ApiError | undefined {
  switch (error.name) {
    case 'PrismaClientKnownRequestError':
      return knownRequestError(error);
    case 'PrismaClientValidationError':
      return apiError(LACKS_FEATURE.test(error.message) ? { code: 'query-error', detail: lastParagraph(error.message) } : BROKEN, error);
    case 'PrismaClientInitializationError':
      return apiError(DATA_LAYER_UNREACHABLE, error, pickText(error, 'errorCode'));
    case 'PrismaClientUnknownRequestError':
      return apiError(BROKEN, error);
    default:
      return undefined;
  }
}

/**
 * Prisma's preview features, which a client may ask for where the host has not switched them on. What else Prisma does not validate is not the
 * client's doing: its arguments have been compared with the schema, so that the Prisma client was made of another one, or a required field is
 * hidden and the host fills it in nowhere.
 */
const LACKS_FEATURE = /^Unknown argument `(?:relationLoadStrategy|_relevance|search)`/m;

function knownRequestError(error: Error): ApiError {
  const code = pickText(error, 'code') ?? '';
  const sqlState = sqlStateOf(error);
  if (sqlState === '42501') return apiError(DATA_LAYER_REFUSED, error, sqlState);
  // ZenStack 2 speaks through Prisma's error class.
  if (code === 'P2004' && reasonOf(error) !== undefined) return apiError(DATA_LAYER_REFUSED, error, code);
  // The database knows what it was given. Where it says nothing, Prisma could not read what is stored.
  if (code === 'P2023' && adapterErrorOf(error) === undefined) return apiError(BROKEN, error, code);
  const row = PRISMA_CODES.get(code) ?? sqlStateRow(sqlState) ?? otherRow(code, error);
  return apiError(row, error, code);
}

/** Prisma's P1 codes say that the database cannot be used at all (missing, denied, unreachable): never the client's fault. */
function otherRow(code: string, error: Error): DataLayerRow {
  // Prisma passes on whatever has a code, a module that cannot be loaded too.
  if (!/^P\d{4}$/.test(code) && !isUnavailable(error)) return BROKEN;
  if (pickText(anyDriverErrorOf(error), 'kind') === 'UnsupportedNativeDataType') return UNREADABLE_COLUMN;
  return code.startsWith('P1') || isUnavailable(error) ? DATA_LAYER_UNREACHABLE : OTHER_DATA_LAYER_ERROR;
}

/** ZenStack 3: `ORMError` with a `reason`, and the database's own code beside it. Its `name` is plain 'Error': its members tell it. */
function zenStackError(error: Error): ApiError | undefined {
  const isOrmError = error.name === 'ORMError' || 'rejectedByPolicyReason' in error;
  return isOrmError ? ormError(error, pickText(error, 'dbErrorCode')) : undefined;
}

function ormError(error: Error, code: string | undefined): ApiError {
  switch (pickText(error, 'reason') ?? '') {
    case 'rejected-by-policy':
      return apiError(DATA_LAYER_REFUSED, error, code);
    case 'not-found':
      return apiError(PRISMA_CODES.get('P2025') ?? OTHER_DATA_LAYER_ERROR, error, code);
    case 'invalid-input':
      return invalidInput(error);
    case 'config-error':
    case 'internal-error':
      return apiError(BROKEN, error);
    default:
      return apiError(sqlStateRow(code) ?? OTHER_DATA_LAYER_ERROR, error, code);
  }
}

/** If only values are invalid, each with its path; otherwise ZenStack's message without the name of the model. */
function invalidInput(error: Error): ApiError {
  const [first, ...others] = invalidValues(error).map(({ path, message }): Problem => {
    const place = path.map((key) => cut(String(key))).join('.');
    return { code: 'validation-error', detail: `${place}: ${sentence(message)}`, path: place, fault: sentence(message) };
  });
  if (first) return changeError(ApiError.of([first, ...others]), { cause: error, orm: {} });
  return apiError({ code: 'query-error', detail: lastParagraph(error.message).replace(ZENSTACK_PREFIX, '') }, error);
}

const ZENSTACK_PREFIX = /^Invalid \w+ args for model "[^"]*": (?:Validation error: )?/;

/** A driver's own error: a SQLSTATE (raw queries), or a connection that failed. */
function driverError(error: Error): ApiError | undefined {
  if (isUnavailable(error)) return apiError(DATA_LAYER_UNREACHABLE, error);
  const code = pickText(error, 'code') ?? sqlStateOf(error);
  const row = sqlStateRow(code);
  return row && apiError(row, error, code);
}

function isUnavailable(error: Error): boolean {
  return isUnreachable(error) || isConnectionLost(error);
}

function apiError(row: DataLayerRow, cause: Error, code?: string): ApiError {
  return new ApiError(row.code, row.detail, {
    cause: row.fault ? new ConfigurationError(...row.fault, { cause }) : cause,
    orm: { ...(code !== undefined && { code }) },
    ...(row.rejectedByPolicy && { rejectedByPolicy: true }),
    ...(isResultNotReadable(cause) && { reason: 'RESULT_NOT_READABLE' }),
    ...(row.code === 'unavailable' && { headers: { 'Retry-After': '1' } }),
  });
}

function sqlStateRow(code = ''): DataLayerRow | undefined {
  return SQL_STATES.get(code) ?? (isSqlState(code) ? SQL_STATE_CLASSES.get(code.slice(0, 2)) : undefined);
}

/** Prisma: `meta.driverAdapterError.cause.originalCode`; elsewhere `cause.originalCode`. */
export function sqlStateOf(error: Error): string | undefined {
  return pickText(anyDriverErrorOf(error), 'originalCode');
}

function reasonOf(error: Error): string | undefined {
  return pickText(memberOf(error, 'meta'), 'reason') ?? pickText(error, 'rejectedByPolicyReason');
}

/** Of a validation error only its last paragraph: the ones before it are a code frame of the server (decisions, "RPC details"). */
function lastParagraph(message: string): string {
  const paragraphs = message.trim().split(/\n\s*\n/);
  return (paragraphs.at(-1) ?? '').replace(/\s+/g, ' ').trim();
}

function pickText(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}
