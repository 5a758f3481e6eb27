import { adapterErrorOf, anyDriverErrorOf } from './driver-error.js';
import { ApiError, type Problem } from './api-error.js';
import { causesOf } from './causes-of.js';
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
 * Converts an error of the data layer to an {@link ApiError}. Returns undefined for any other error.
 *
 * Errors are recognised by shape and never by `instanceof`, because the application may load other copies of the Prisma client, the ORM and the
 * driver.
 */
export function dataLayerError(error: unknown): ApiError | undefined {
  if (!isError(error)) return undefined;
  if (isClientBroken(error)) return apiError(DATA_LAYER_BROKEN, error);
  return prismaError(error) ?? zenStackError(error) ?? driverError(error);
}

/** Returns the error for a query that makes the query engine panic. */
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
 * Matches arguments of Prisma's preview features, which a client may send although the application has not enabled them. Any other validation error
 * of Prisma is no fault of the client, because its arguments have been checked against the schema. Then the Prisma client was generated from another
 * schema, or a required field is hidden and the application does not fill it.
 */
const LACKS_FEATURE = /^Unknown argument `(?:relationLoadStrategy|_relevance|search)`/m;

function knownRequestError(error: Error): ApiError {
  const code = pickText(error, 'code') ?? '';
  const sqlState = sqlStateOf(error);
  if (sqlState === '42501') return apiError(DATA_LAYER_REFUSED, error, sqlState);
  // ZenStack 2 throws an error of Prisma's class.
  if (code === 'P2004' && reasonOf(error) !== undefined) return apiError(DATA_LAYER_REFUSED, error, code);
  // Without an error of the driver, P2023 means that Prisma cannot read a stored value.
  if (code === 'P2023' && adapterErrorOf(error) === undefined) return apiError(BROKEN, error, code);
  const row = PRISMA_CODES.get(code) ?? sqlStateRow(sqlState) ?? otherRow(code, error);
  return apiError(row, error, code);
}

/** Maps an error whose code has no row. Prisma's P1 codes mean that the database is unusable (missing, denied, unreachable), never a client error. */
function otherRow(code: string, error: Error): DataLayerRow {
  // Prisma forwards any error with a code, for example that of a module that cannot be loaded.
  if (!/^P\d{4}$/.test(code) && !isUnavailable(error)) return BROKEN;
  if (pickText(anyDriverErrorOf(error), 'kind') === 'UnsupportedNativeDataType') return UNREADABLE_COLUMN;
  return code.startsWith('P1') || isUnavailable(error) ? DATA_LAYER_UNREACHABLE : OTHER_DATA_LAYER_ERROR;
}

/**
 * Converts an `ORMError` of ZenStack 3, which has a `reason` and the database's code. It is
 * recognised by its members, because its `name` may be 'Error'.
 */
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

/** Lists the invalid values with their paths. If anything else is invalid, returns ZenStack's message without the name of the model. */
function invalidInput(error: Error): ApiError {
  const [first, ...others] = invalidValues(error).map(({ path, message }): Problem => {
    const place = path.map((key) => cut(String(key))).join('.');
    return { code: 'validation-error', detail: `${place}: ${sentence(message)}`, path: place, fault: sentence(message) };
  });
  if (first) return changeError(ApiError.of([first, ...others]), { cause: error, orm: {} });
  return apiError({ code: 'query-error', detail: lastParagraph(error.message).replace(ZENSTACK_PREFIX, '') }, error);
}

const ZENSTACK_PREFIX = /^Invalid \w+ args for model "[^"]*": (?:Validation error: )?/;

/** Converts an error of the driver: a SQLSTATE (raw queries), or a failed connection. */
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

/** Returns the SQLSTATE: `meta.driverAdapterError.cause.originalCode` of a Prisma error, and `cause.originalCode` of others. */
export function sqlStateOf(error: Error): string | undefined {
  return pickText(anyDriverErrorOf(error), 'originalCode');
}

/** Returns the code of the database in an error or its causes: an SQLSTATE, or that of MariaDB or SQLite. Undefined if there is none. */
export function databaseCodeOf(thrown: unknown): string | undefined {
  return causesOf(thrown)
    .map((error) => {
      const code = memberOf(error, 'code');
      return (isError(error) ? sqlStateOf(error) : undefined) ?? (isSqlState(code) ? code : undefined);
    })
    .find((code) => code !== undefined);
}

function reasonOf(error: Error): string | undefined {
  return pickText(memberOf(error, 'meta'), 'reason') ?? pickText(error, 'rejectedByPolicyReason');
}

/** Returns the last paragraph of a validation error. The paragraphs before it are a code frame of the server. */
function lastParagraph(message: string): string {
  const paragraphs = message.trim().split(/\n\s*\n/);
  return (paragraphs.at(-1) ?? '').replace(/\s+/g, ' ').trim();
}

function pickText(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}
