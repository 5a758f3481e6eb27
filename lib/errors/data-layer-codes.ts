import type { ErrorCode } from './error-catalogue.js';

/** The meaning of a data-layer error code for a client. The texts are constant and contain nothing of a query, a constraint or a row. */
export interface DataLayerRow {
  readonly code: ErrorCode;
  readonly detail: string;
  /** Whether an access policy of the data layer refused the request. */
  readonly rejectedByPolicy?: true;
  /** Cause and remedy for the log, if the application is at fault. */
  readonly fault?: readonly [cause: string, remedy: string];
}

const NOT_FOUND: DataLayerRow = { code: 'not-found', detail: 'A record that this request depends on does not exist.' };
const NOT_RELATED: DataLayerRow = { code: 'not-found', detail: 'A nested write names a record that is not related to its record.' };
const UNIQUE: DataLayerRow = { code: 'unique-conflict', detail: 'A record with the same unique value exists already.' };
const REFERENCE: DataLayerRow = { code: 'reference-conflict', detail: 'The change would break a reference between records.' };
const INVALID_VALUE: DataLayerRow = { code: 'invalid-value', detail: 'A value does not fit the type of its field.' };
const TOO_LONG: DataLayerRow = { code: 'invalid-value', detail: 'A value is too long for its field.' };
const OUT_OF_RANGE: DataLayerRow = { code: 'invalid-value', detail: 'A value is out of the range of its field.' };
const MISSING_VALUE: DataLayerRow = { code: 'invalid-value', detail: 'A required value is missing.' };
const CHECK: DataLayerRow = { code: 'validation-error', detail: 'A value violates a constraint of the database.' };
const UNAVAILABLE: DataLayerRow = { code: 'unavailable', detail: 'The database cannot be reached at the moment. Please try again.' };
const CONFLICT: DataLayerRow = { code: 'unavailable', detail: 'The change met another one at the same time. Please try again.' };
const READ_ONLY: DataLayerRow = { code: 'unavailable', detail: 'The database accepts no writes at the moment. Please try again later.' };
const TOO_SLOW: DataLayerRow = { code: 'unavailable', detail: 'The database took too long to answer. Please try again later.' };
/** A fault of this package or of the application. The cause is only logged. */
export const BROKEN: DataLayerRow = { code: 'unknown-error', detail: 'An unexpected error occurred.' };
/** An upsert by a unique key of the Prisma schema, for which the database has no index or only a partial index. */
const LACKS_UNIQUE_KEY: DataLayerRow = {
  ...BROKEN,
  fault: [
    'The database has no unique constraint on the fields that an upsert matches by. The Prisma schema declares one; the database has none, or a partial index.',
    'Create a unique index without a WHERE clause, or remove @unique or @@unique from the Prisma schema.',
  ],
};
/** Too many bind parameters: Prisma sends each value of `in` and `notIn` as a separate one. */
const TOO_MANY_VALUES: DataLayerRow = {
  code: 'limit-exceeded',
  detail: 'The query has more values than one statement of the database can have (32767 on PostgreSQL). Send fewer values in each request.',
};
/** A column of a type that the driver adapter cannot read, e.g. `Timetz[]`. */
export const UNREADABLE_COLUMN: DataLayerRow = {
  ...BROKEN,
  fault: [
    'The driver adapter of Prisma cannot read a column of this type.',
    'Hide the field in resources, mark it with @ignore, or give the column another type.',
  ],
};
const REFUSED: DataLayerRow = { code: 'forbidden', detail: 'You are not allowed to do this.', rejectedByPolicy: true };

/** Any other recognised error of the data layer. */
export const OTHER_DATA_LAYER_ERROR: DataLayerRow = { code: 'query-error', detail: 'The data layer refused the query.' };

/** The data layer did not start, or lost its connection. Such an error may have no code. */
export const DATA_LAYER_UNREACHABLE = UNAVAILABLE;

/** The query engine of the data client has panicked. */
export const DATA_LAYER_BROKEN: DataLayerRow = {
  code: 'unavailable',
  detail: 'The data layer has failed and does not answer at the moment. Please try again.',
};

/** The query engine of the data client panics on this query only. */
export const DATA_LAYER_PANICKED: DataLayerRow = {
  code: 'query-error',
  detail: 'The data layer cannot answer this query: its engine fails on it. Other queries are answered.',
};

/** Refused by an access policy of the database or of ZenStack. */
export const DATA_LAYER_REFUSED = REFUSED;

/** Prisma's error codes (Prisma documentation, "Error reference"). Codes without an entry are {@link OTHER_DATA_LAYER_ERROR}. */
export const PRISMA_CODES: ReadonlyMap<string, DataLayerRow> = new Map([
  ['P1001', UNAVAILABLE],
  ['P1002', UNAVAILABLE],
  ['P1008', UNAVAILABLE],
  ['P1011', UNAVAILABLE],
  ['P1017', UNAVAILABLE],
  ['P2000', TOO_LONG],
  ['P2001', NOT_FOUND],
  ['P2002', UNIQUE],
  ['P2003', REFERENCE],
  ['P2004', CHECK],
  ['P2005', INVALID_VALUE],
  ['P2006', INVALID_VALUE],
  ['P2007', INVALID_VALUE],
  ['P2011', MISSING_VALUE],
  ['P2012', MISSING_VALUE],
  ['P2013', MISSING_VALUE],
  ['P2014', REFERENCE],
  ['P2015', NOT_FOUND],
  ['P2017', NOT_RELATED],
  ['P2018', NOT_FOUND],
  ['P2020', OUT_OF_RANGE],
  ['P2021', BROKEN],
  ['P2022', BROKEN],
  ['P2023', INVALID_VALUE],
  ['P2024', UNAVAILABLE],
  ['P2025', NOT_FOUND],
  ['P2028', UNAVAILABLE],
  ['P2029', TOO_MANY_VALUES],
  ['P2033', OUT_OF_RANGE],
  ['P2034', CONFLICT],
  ['P2037', UNAVAILABLE],
]);

/**
 * Codes of MySQL, MariaDB and SQLite for a violated `CHECK`, an invalid value and a lock timeout. Prisma forwards them without a Prisma code.
 * Sources: MySQL error reference, "Server error messages"; MariaDB error codes; SQLite result codes. None has the form of a SQLSTATE.
 */
const DRIVER_CODES = [
  ['275', CHECK],
  ['3819', CHECK],
  ['4025', CHECK],
  ['1292', INVALID_VALUE],
  ['1366', INVALID_VALUE],
  ['1205', CONFLICT],
] as const;

/** SQLSTATE codes of PostgreSQL that Prisma forwards without a Prisma code (PostgreSQL documentation, appendix A). */
export const SQL_STATES: ReadonlyMap<string, DataLayerRow> = new Map([
  ['22001', TOO_LONG],
  ['22003', OUT_OF_RANGE],
  ['22007', INVALID_VALUE],
  ['22008', OUT_OF_RANGE],
  ['22021', INVALID_VALUE],
  ['22026', { code: 'invalid-value', detail: 'A value does not have the length of its field.' }],
  ['2200N', { code: 'invalid-value', detail: 'A value is not well-formed XML.' }],
  ['22P02', INVALID_VALUE],
  ['22P05', INVALID_VALUE],
  ['23001', REFERENCE],
  ['23502', MISSING_VALUE],
  ['23503', REFERENCE],
  ['23505', UNIQUE],
  ['23514', CHECK],
  ['23P01', { code: 'unique-conflict', detail: 'The change conflicts with another record.' }],
  // After a failover, or while the disk is full, a server accepts reads only.
  ['25006', READ_ONLY],
  ['40001', CONFLICT],
  ['40P01', CONFLICT],
  ['42501', REFUSED],
  ['428C9', { code: 'invalid-value', detail: 'The database computes a field of this write: leave it out.' }],
  ['42P10', LACKS_UNIQUE_KEY],
  ['53300', UNAVAILABLE],
  ['55P03', CONFLICT],
  ['57014', TOO_SLOW],
  ['57P01', UNAVAILABLE],
  ['57P03', UNAVAILABLE],
  ...DRIVER_CODES,
]);

/** Classes of SQLSTATEs (their first two characters) that the content of a request cannot cause. */
export const SQL_STATE_CLASSES: ReadonlyMap<string, DataLayerRow> = new Map([
  ['08', UNAVAILABLE],
  // The application, or one of its statements, has ended or aborted the transaction.
  ['25', BROKEN],
  ['53', UNAVAILABLE],
  ['57', UNAVAILABLE],
  ['58', BROKEN],
  ['XX', BROKEN],
]);
